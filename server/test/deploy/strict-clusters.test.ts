import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readConfig } from "#app";
import { renderChart, specOf } from "./chart.ts";
import { EVERYTHING } from "./every-value.ts";

describe("the Helm chart in a cluster with rules of its own", () => {
  it("listens at IPv6 where the service has it, and at IPv4 alone otherwise", () => {
    const hostOf = (service: object) => {
      const { env } = specOf(renderChart({ service }), "Deployment").template.spec.containers[0];
      return env.find(({ name }: { name: string }) => name === "FRONTDESK_HOST")?.value;
    };
    assert.deepEqual(
      [{}, { ipFamilies: ["IPv4"] }, { ipFamilies: ["IPv6"] }, { ipFamilyPolicy: "PreferDualStack" }].map(hostOf),
      [undefined, undefined, "::", "::"],
    );
    const { ipFamilies, ipFamilyPolicy } = specOf(renderChart(EVERYTHING), "Service");
    assert.deepEqual([ipFamilies, ipFamilyPolicy], [["IPv6"], "SingleStack"]);
    assert.equal(readConfig(["--host", "::"], {}).host, "::");
  });

  it("passes gRPC of a gateway to the port that speaks HTTP/2, and everything else to the other", () => {
    const { parentRefs, hostnames, rules } = specOf(renderChart(EVERYTHING), "HTTPRoute");
    assert.deepEqual([parentRefs, hostnames], [[{ name: "public", namespace: "gateways" }], ["api.example.com"]]);
    const [grpc, other] = rules;
    assert.match("application/grpc-web+proto", new RegExp(`^${grpc.matches[0].headers[0].value}$`));
    assert.deepEqual(
      [grpc.backendRefs, other.backendRefs],
      [[{ name: "desk", port: 8081 }], [{ name: "desk", port: 8080 }]],
    );
    const gateway = { enabled: true, parentRefs: [{ name: "public" }] };
    assert.equal(specOf(renderChart({ gateway }), "HTTPRoute").rules.length, 1);
  });

  it("is scraped by the operator of Prometheus, with a key where callers must be known", () => {
    const monitorOf = (serviceMonitor: object) =>
      specOf(renderChart({ metrics: { serviceMonitor: { enabled: true, ...serviceMonitor } } }), "ServiceMonitor");
    const { selector, endpoints } = monitorOf({ tokenSecret: "scraper" });
    assert.deepEqual(selector.matchLabels, specOf(renderChart(), "Service").selector);
    assert.deepEqual(endpoints, [
      {
        ...{ port: "http", path: "/metrics", interval: "30s" },
        authorization: { credentials: { name: "scraper", key: "token" } },
      },
    ]);
    assert.equal(monitorOf({}).endpoints[0].authorization, undefined);
  });

  it("leaves the user of its processes, and the number of servers, to a cluster that chooses them", () => {
    const { template } = specOf(renderChart(EVERYTHING), "Deployment");
    assert.deepEqual(template.spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    assert.ok(!Object.hasOwn(specOf(renderChart({ replicas: null }), "Deployment"), "replicas"));
    assert.equal(specOf(renderChart({ replicas: 0 }), "Deployment").replicas, 0);
  });

  it("takes what else a pod may have, and other constraints of its place", () => {
    const deployment = renderChart(EVERYTHING).find(({ kind }) => kind === "Deployment");
    assert.deepEqual(Object(deployment?.metadata).annotations, { "reloader.example/auto": "true" });
    const { spec } = specOf(renderChart(EVERYTHING), "Deployment").template;
    assert.deepEqual([spec.runtimeClassName, spec.dnsConfig], ["gvisor", EVERYTHING.podSpec.dnsConfig]);
    assert.deepEqual(spec.topologySpreadConstraints, EVERYTHING.topologySpreadConstraints);
    assert.throws(
      () => renderChart({ podSpec: { nodeSelector: {} } }),
      /^Error: podSpec\.nodeSelector: the chart sets it/,
    );
  });
});
