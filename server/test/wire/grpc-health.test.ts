import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Locations } from "@frontdesk/protos/google/cloud/location/locations";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@frontdesk/protos/grpc/health/v1/health";
import { startTestServer } from "#testing";
import { startAccessServer } from "../access/access-server.ts";

const clientOf = (server: { readonly address: string }) =>
  createClient(Health, createGrpcTransport({ baseUrl: server.address }));

describe("gRPC's health service (WIRE-55)", () => {
  it("says of the server and of each service that it serves, to callers without a credential", async () => {
    await using server = await startAccessServer([]);
    const health = clientOf(server);
    for (const service of ["", "google.cloud.ces.v1.SessionService", "grpc.health.v1.Health"])
      assert.equal((await health.check({ service })).status, Status.SERVING, service);
    const { statuses } = await health.list({});
    assert.equal(statuses[""]?.status, Status.SERVING);
    assert.equal(statuses["google.cloud.ces.v1beta.AgentService"]?.status, Status.SERVING);
  });

  it("does not know a service that there is not", async () => {
    await using server = await startTestServer();
    const health = clientOf(server);
    const refused = (error: unknown) => (error as ConnectError).code === Code.NotFound;
    await assert.rejects(health.check({ service: "no.Such" }), refused);
    for await (const { status } of health.watch({ service: "no.Such" })) {
      assert.equal(status, Status.SERVICE_UNKNOWN);
      break;
    }
  });

  it("tells who watches that the server stops, and does not keep it from stopping", async () => {
    const server = await startTestServer();
    const told: Status[] = [];
    const { promise: watching, resolve: begun } = Promise.withResolvers<void>();
    const watch = (async () => {
      for await (const { status } of clientOf(server).watch({})) {
        told.push(status);
        begun();
      }
    })();
    await watching;
    await server[Symbol.asyncDispose]();
    await watch;
    assert.deepEqual(told, [Status.SERVING, Status.NOT_SERVING]);
  });

  it("counts for no quota", async () => {
    const one = { measure: "requests", per: "caller", limit: 1, burst: 1, everyMs: 86_400_000 } as const;
    await using server = await startTestServer({ config: { quotas: { rules: [one], prices: {}, turnsAtOnce: 10 } } });
    const health = clientOf(server);
    for (let call = 0; call < 3; call++) assert.equal((await health.check({})).status, Status.SERVING);
    const locations = createClient(Locations, createGrpcTransport({ baseUrl: server.address }));
    await locations.listLocations({ name: "projects/local" });
    const refused = (error: unknown) => (error as ConnectError).code === Code.ResourceExhausted;
    await assert.rejects(locations.listLocations({ name: "projects/local" }), refused);
  });
});
