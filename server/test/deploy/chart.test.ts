import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { type Manifest, renderChart, renderWithHelm, withoutHelm } from "./chart.ts";

/** The schemas of Kubernetes, by kind. */
const KINDS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};

const EVERYTHING = {
  image: { repository: "registry.example/frontdesk", tag: "0.1.0", pullSecrets: [{ name: "pull" }] },
  environment: { FRONTDESK_ORIGIN: "https://desk.example.com", FRONTDESK_LOG: "warn" },
  secretEnvironment: ["models", "looker"],
  config: { drainSeconds: 20, log: "warn" },
  ingress: {
    enabled: true,
    className: "nginx",
    host: "desk.example.com",
    tlsSecret: "desk-tls",
    annotations: { "nginx.ingress.kubernetes.io/proxy-read-timeout": "3600" },
  },
  autoscaling: { enabled: true, turnsPerServer: 25 },
  networkPolicy: {
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }],
    egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 5432 }] }],
  },
  nodeSelector: { "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "desk", operator: "Exists" }],
  affinity: { nodeAffinity: {} },
};

const CASES = [
  { what: "its own values", values: {}, kinds: ["Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service"] },
  { what: "every value", values: EVERYTHING, kinds: Object.keys(KINDS) },
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

  it("is refused by the schemas when a value has the wrong type", () => {
    const [wrong] = renderChart({ replicas: "two" }).filter(({ kind }) => kind === "Deployment");
    assert.ok(wrong);
    assert.throws(() => validate(wrong), /replicas/);
  });

  it("gives servers the database and the sealing key from secrets, no rights and a read-only root", () => {
    const { template } = specOf(renderChart(), "Deployment");
    const [container] = template.spec.containers;
    assert.deepEqual(
      container.env.filter(({ valueFrom }: { valueFrom: { secretKeyRef?: object } }) => valueFrom.secretKeyRef),
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

  it("names what an ingress lacks", () => {
    assert.throws(() => renderChart({ ingress: { enabled: true } }), /ingress\.host/);
  });
});

function validate(manifest: Manifest): void {
  const Kind = KINDS[manifest.kind as keyof typeof KINDS] as new (manifest: object) => { validate(): void };
  new Kind(manifest).validate();
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas check the type of what was rendered
function specOf(manifests: readonly Manifest[], kind: string): any {
  return manifests.find((manifest) => manifest.kind === kind)?.spec;
}
