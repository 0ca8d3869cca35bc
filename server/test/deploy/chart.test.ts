import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { readConfig } from "#app";
import { type Manifest, renderChart, renderWithHelm, specOf, valueFaults, withoutHelm } from "./chart.ts";
import { EVERYTHING } from "./every-value.ts";

/** The schemas of Kubernetes, by kind. */
const KINDS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
};

/** Of definitions that a cluster gets besides: what the chart relies on. */
const ADDED_KINDS = {
  HTTPRoute: { apiVersion: "gateway.networking.k8s.io/v1", needs: ["parentRefs", "rules"] },
  ServiceMonitor: { apiVersion: "monitoring.coreos.com/v1", needs: ["selector", "endpoints"] },
};

/** What the chart takes from the cluster. */
const OF_CLUSTER: Readonly<Record<string, string>> = {
  FRONTDESK_REPLICA: "frontdesk-0",
  FRONTDESK_DATABASE_URL: "postgres://desk@database/desk",
  FRONTDESK_SEALING_KEY: Buffer.alloc(32, 1).toString("base64"),
};

const CASES = [
  { what: "its own values", values: {}, kinds: ["Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service"] },
  { what: "every value", values: EVERYTHING, kinds: [...Object.keys(KINDS), ...Object.keys(ADDED_KINDS)] },
  {
    what: "nothing that is optional",
    values: {
      networkPolicy: { enabled: false },
      disruptionBudget: { enabled: false },
      metrics: { annotations: false },
    },
    kinds: ["Deployment", "Service"],
  },
];

describe("the Helm chart", () => {
  for (const { what, values, kinds } of CASES) {
    it(`with ${what} makes ${kinds.join(", ")}, which Kubernetes accepts`, () => {
      const manifests = renderChart(values);
      assert.deepEqual(manifests.map(({ kind }) => kind).sort(), kinds.toSorted());
      for (const manifest of manifests) validate(manifest);
    });

    it(`with ${what} is rendered by helm as by these tests`, { skip: withoutHelm }, () => {
      const byName = (manifests: readonly Manifest[]) => Object.fromEntries(manifests.map((one) => [one.kind, one]));
      assert.deepEqual(byName(renderWithHelm(values)), byName(renderChart(values)));
    });
  }

  for (const { what, values } of CASES) it(`takes ${what}`, () => assert.deepEqual(valueFaults(values), []));

  for (const [what, values, fault] of [
    ["a value that it has not", { replica: 3 }, / replica$/],
    ["a value that a group of it has not", { database: { url: "postgres://db/desk" } }, /^\/database .* url$/],
    ["a value of the wrong type", { preStopSeconds: "5s" }, /^\/preStopSeconds .*integer/],
    ["autoscaling by nothing", { autoscaling: { turnsPerServer: 0, cpuPercent: 0 } }, /^\/autoscaling /],
  ] as const)
    it(`refuses ${what}`, () => {
      const faults = valueFaults(values);
      assert.equal(faults.length, 1, faults.join("\n"));
      assert.match(String(faults[0]), fault);
    });

  it("is refused by the schemas when a value has the wrong type", () => {
    const [wrong] = renderChart({ replicas: "two" }).filter(({ kind }) => kind === "Deployment");
    assert.ok(wrong);
    assert.throws(() => validate(wrong), /replicas/);
  });

  it("gives servers the database and the sealing key from secrets, no rights and a read-only root", () => {
    const { template } = specOf(renderChart(), "Deployment");
    const [container] = template.spec.containers;
    assert.deepEqual(
      container.env.filter(({ valueFrom }: { valueFrom?: { secretKeyRef?: object } }) => valueFrom?.secretKeyRef),
      [
        {
          name: "FRONTDESK_DATABASE_URL",
          valueFrom: { secretKeyRef: { name: "frontdesk", key: "database-url" } },
        },
        {
          name: "FRONTDESK_SEALING_KEY",
          valueFrom: { secretKeyRef: { name: "frontdesk", key: "sealing-key" } },
        },
      ],
    );
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.equal(container.securityContext.allowPrivilegeEscalation, false);
    assert.equal(template.spec.securityContext.runAsNonRoot, true);
    assert.equal(template.spec.automountServiceAccountToken, false);
  });

  it("lets servers take turns of each other, and nobody else (DB-53)", () => {
    const rendered = renderChart();
    const [container] = specOf(rendered, "Deployment").template.spec.containers;
    const named = ({ name }: { name: string }) => name === "turns";
    const { containerPort } = container.ports.find(named);
    const port = container.env.find(({ name }: { name: string }) => name === "FRONTDESK_REPLICA_PORT");
    assert.equal(port.value, String(containerPort));
    const { ingress, podSelector } = specOf(rendered, "NetworkPolicy");
    const rules = ingress.filter(({ ports }: { ports: { port: string }[] }) =>
      ports.some((each) => each.port === "turns"),
    );
    assert.deepEqual(rules, [{ ports: [{ port: "turns" }], from: [{ podSelector }] }]);
  });

  it("lets a server take calls until the cluster knows that it stops, and end its turns within the time that it has", () => {
    const { terminationGracePeriodSeconds, containers } = specOf(renderChart(), "Deployment").template.spec;
    const [node, evaluate, script] = containers[0].lifecycle.preStop.exec.command;
    const started = performance.now();
    assert.equal(spawnSync(node, [evaluate, script.replace("* 1000", "* 10")]).status, 0);
    assert.ok(performance.now() - started >= 50);
    const pause = Number(/(\d+) \* 1000/.exec(script)?.[1]);
    assert.ok(terminationGracePeriodSeconds > pause + readConfig([], {}).drainMs / 1000);
    assert.equal(
      specOf(renderChart({ preStopSeconds: 0 }), "Deployment").template.spec.containers[0].lifecycle,
      undefined,
    );
  });

  it("has a port for routes that must be told of HTTP/2, where one is asked for, at the same port of the servers", () => {
    const portsOf = (service: object) => specOf(renderChart({ service }), "Service").ports;
    assert.deepEqual(portsOf({}), [{ name: "http", port: 8080, targetPort: "http" }]);
    const [, grpc] = portsOf({ grpcPort: 8081 });
    assert.deepEqual(grpc, { name: "grpc", port: 8081, targetPort: "http", appProtocol: "kubernetes.io/h2c" });
    assert.throws(
      () => renderChart({ service: { grpcPort: 8080 } }),
      /service\.grpcPort: service\.port has this number/,
    );
    assert.equal(valueFaults({ service: { grpcPort: "h2c" } }).length, 1);
  });

  it("keeps the variables out that Kubernetes makes of the names of services, because FRONTDESK_PORT would be one", () => {
    assert.equal(specOf(renderChart(), "Deployment").template.spec.enableServiceLinks, false);
    assert.throws(() => readConfig([], { FRONTDESK_PORT: "tcp://10.0.0.1:8080" }), /FRONTDESK_PORT/);
  });

  it("sets only variables that a server reads, with values that it takes", () => {
    const { env } = specOf(renderChart(EVERYTHING), "Deployment").template.spec.containers[0];
    const set = (env as { name: string; value?: string }[])
      // Its file is in the cluster.
      .filter(({ name }) => name.startsWith("FRONTDESK_") && name !== "FRONTDESK_CONFIG")
      .map(({ name, value }) => [name, value ?? OF_CLUSTER[name]]);
    assert.ok(set.length >= Object.keys(OF_CLUSTER).length + 2);
    assert.deepEqual(readConfig([], Object.fromEntries(set)).ignored, []);
  });

  it("takes the password of the database from a key of its own, as a file that can change", () => {
    const { volumes, containers } = specOf(renderChart(EVERYTHING), "Deployment").template.spec;
    const [{ env, volumeMounts }] = containers;
    const named = <T extends { name: string }>(list: readonly T[], name: string) =>
      list.find((one) => one.name === name);
    const place = Object(named(env, "FRONTDESK_DATABASE_PASSWORD_FILE")).value;
    const { mountPath } = Object(named(volumeMounts, "database-password"));
    const { secret } = Object(named(volumes, "database-password"));
    assert.deepEqual(secret, { secretName: "frontdesk", items: [{ key: "password", path: "database-password" }] });
    assert.equal(place, `${mountPath}/database-password`);
  });

  it("runs servers as a service account that it makes, that exists, or as that of the namespace", () => {
    const accountOf = (serviceAccount: object) => {
      const manifests = renderChart({ serviceAccount });
      const made = manifests.filter(({ kind }) => kind === "ServiceAccount").map(({ metadata }) => metadata.name);
      return [specOf(manifests, "Deployment").template.spec.serviceAccountName, ...made];
    };
    assert.deepEqual(accountOf({}), [undefined]);
    assert.deepEqual(accountOf({ create: true }), ["desk", "desk"]);
    assert.deepEqual(accountOf({ create: true, name: "vertex" }), ["vertex", "vertex"]);
    assert.deepEqual(accountOf({ name: "vertex" }), ["vertex"]);
  });

  it("scales by turns that run, and then sets no number of servers", () => {
    const manifests = renderChart(EVERYTHING);
    const [byTurns] = specOf(manifests, "HorizontalPodAutoscaler").metrics;
    assert.deepEqual(byTurns.pods, {
      metric: { name: "frontdesk_turns_running" },
      target: { type: "AverageValue", averageValue: "25" },
    });
    assert.equal(specOf(manifests, "Deployment").replicas, undefined);
  });

  it("replaces servers when the configuration changes", () => {
    const annotation = (drainSeconds: number) =>
      specOf(renderChart({ config: { drainSeconds } }), "Deployment").template.metadata.annotations["frontdesk/config"];
    assert.notEqual(annotation(10), annotation(20));
    assert.equal(annotation(10), annotation(10));
  });

  it("writes each value as the text that it is", () => {
    const odd = {
      COLON: 'a: "b" # c',
      DOLLAR: "p$w",
      EMPTY: "",
      LINES: "one\ntwo",
      MILLION: 1_000_000,
      NO: "no",
      ON: true,
      PART: 0.5,
    };
    const rendered = renderChart({
      environment: odd,
      database: { secret: "0123", urlKey: "true", passwordKey: "1e3" },
      sealing: { secret: "null", key: "yes" },
      secretEnvironment: ["2026"],
      serviceAccount: { name: "1000" },
      priorityClassName: "~",
      cacheSize: 2_000_000_000,
    });
    for (const manifest of rendered) validate(manifest);
    const { serviceAccountName, priorityClassName, containers, volumes } = specOf(rendered, "Deployment").template.spec;
    const { env, envFrom } = containers[0];
    const own = env.filter(({ name }: { name: string }) => Object.hasOwn(odd, name));
    assert.deepEqual(
      own,
      Object.entries(odd).map(([name, value]) => ({ name, value: String(value) })),
    );
    assert.deepEqual([serviceAccountName, priorityClassName], ["1000", "~"]);
    assert.deepEqual(envFrom, [{ secretRef: { name: "2026" } }]);
    const secrets = env.flatMap(
      ({ valueFrom }: { valueFrom?: { secretKeyRef?: object } }) => valueFrom?.secretKeyRef ?? [],
    );
    assert.deepEqual(secrets, [
      { name: "0123", key: "true" },
      { name: "null", key: "yes" },
    ]);
    const emptyDir = volumes.find(({ name }: { name: string }) => name === "data").emptyDir;
    assert.deepEqual(emptyDir, { sizeLimit: "2000000000" });
  });

  it("takes a variable from a key of a secret that has another name", () => {
    const valueFrom = { secretKeyRef: { name: "models", key: "gemini" } };
    const values = { environment: { GEMINI_API_KEY: { valueFrom } } };
    assert.deepEqual(valueFaults(values), []);
    const { env } = specOf(renderChart(values), "Deployment").template.spec.containers[0];
    assert.deepEqual(env.at(-1), { name: "GEMINI_API_KEY", valueFrom });
  });

  it("runs the image of a digest", () => {
    const digest = `sha256:${"0a".repeat(32)}`;
    const image = { repository: "registry.example:5000/team/frontdesk", tag: "0.1.0", digest };
    const { containers } = specOf(renderChart({ image }), "Deployment").template.spec;
    assert.equal(containers[0].image, `registry.example:5000/team/frontdesk@${digest}`);
    assert.match(String(valueFaults({ image: { digest: "latest" } })), /^\/image\/digest /);
  });

  it("lets clients in by several names, with a certificate for all", () => {
    const { rules, tls } = specOf(renderChart(EVERYTHING), "Ingress");
    const hosts = ["desk.example.com", "help.example.com"];
    assert.deepEqual(
      rules.map(({ host }: { host: string }) => host),
      hosts,
    );
    assert.deepEqual(tls, [{ secretName: "desk-tls", hosts }]);
    assert.deepEqual(rules[0].http, rules[1].http);
  });

  it("tells servers the address of an ingress with a certificate, where the values name no other", () => {
    const originOf = (values: Readonly<Record<string, unknown>>) => {
      const { env } = specOf(renderChart(values), "Deployment").template.spec.containers[0];
      return env
        .filter(({ name }: { name: string }) => name === "FRONTDESK_ORIGIN")
        .map(({ value }: { value: string }) => value);
    };
    const ingress = { enabled: true, host: "desk.example.com", tlsSecret: "tls" };
    assert.deepEqual(originOf({ ingress }), ["https://desk.example.com"]);
    assert.deepEqual(originOf({ ingress: { ...ingress, tlsSecret: "" } }), []);
    assert.deepEqual(originOf({ ingress: { ...ingress, enabled: false } }), []);
    assert.deepEqual(originOf({ ingress, config: { auth: { mode: "required" } } }), ["https://desk.example.com"]);
    assert.deepEqual(originOf({ ingress, config: { auth: { origin: "https://other.example.com" } } }), []);
    assert.deepEqual(originOf({ ingress, environment: { FRONTDESK_ORIGIN: "https://own.example.com" } }), [
      "https://own.example.com",
    ]);
  });

  it("leaves the sealing key to the configuration that says where it comes from", () => {
    const config = { sealing: { file: "/run/secrets/sealing/key" } };
    const { env } = specOf(renderChart({ config }), "Deployment").template.spec.containers[0];
    assert.deepEqual(
      env.filter(({ name }: { name: string }) => name === "FRONTDESK_SEALING_KEY"),
      [],
    );
  });

  it("gives a start the time that a migration takes", () => {
    const { startupProbe } = specOf(renderChart({ startupSeconds: 3_601 }), "Deployment").template.spec.containers[0];
    assert.equal(startupProbe.failureThreshold * startupProbe.periodSeconds, 3_602);
  });

  for (const [what, values, fault] of [
    [
      "a port that the probes do not ask",
      { environment: { FRONTDESK_PORT: 9090 } },
      /^environment\.FRONTDESK_PORT: .*service\.port/,
    ],
    [
      "a database beside that of the secret",
      { environment: { FRONTDESK_DATABASE_URL: "postgres://db/desk" } },
      /database\.secret/,
    ],
    ["a sealing key beside that of the secret", { environment: { FRONTDESK_SEALING_KEY: "a" } }, /sealing\.secret/],
    [
      "two passwords",
      { database: { passwordKey: "p" }, environment: { FRONTDESK_DATABASE_PASSWORD_FILE: "/p" } },
      /passwordKey/,
    ],
    [
      "two configurations",
      { config: { log: "warn" }, environment: { FRONTDESK_CONFIG_CONTENT: "log: info" } },
      /CONFIG_CONTENT/,
    ],
    ["a port in the configuration", { config: { port: 9090 } }, /^config\.port: .*service\.port/],
    [
      "turns that take longer than a server has to stop",
      { config: { drainSeconds: 60 } },
      /^terminationGracePeriodSeconds: .* 65 s/,
    ],
    [
      "a drain delay that leaves no time for turns",
      { environment: { FRONTDESK_DRAIN_DELAY_SECONDS: "10" }, config: { drainDelaySeconds: 1 } },
      /^terminationGracePeriodSeconds: .* 40 s/,
    ],
    ["more servers at least than at most", { autoscaling: { enabled: true, minReplicas: 12 } }, /minReplicas/],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(
        () => renderChart(values),
        (error: Error) => fault.test(error.message),
      );
    });

  it("takes times that are just enough", () => {
    const values = { config: { drainSeconds: 60, drainDelaySeconds: 4.5 }, terminationGracePeriodSeconds: 70 };
    assert.equal(renderChart(values).length, 5);
    assert.equal(
      renderChart({ environment: { FRONTDESK_DRAIN_DELAY_SECONDS: 0 }, config: { drainDelaySeconds: 60 } }).length,
      5,
    );
  });

  it("names what an ingress or a gateway lacks", () => {
    assert.throws(() => renderChart({ ingress: { enabled: true } }), /ingress\.host/);
    assert.throws(() => renderChart({ gateway: { enabled: true } }), /gateway\.parentRefs/);
  });
});

function validate(manifest: Manifest): void {
  const added = ADDED_KINDS[manifest.kind as keyof typeof ADDED_KINDS];
  if (added) {
    assert.equal(manifest.apiVersion, added.apiVersion);
    for (const field of added.needs) assert.ok(Object.hasOwn(Object(manifest.spec), field), field);
    return;
  }
  const Kind = KINDS[manifest.kind as keyof typeof KINDS] as new (manifest: object) => { validate(): void };
  new Kind(manifest).validate();
}
