import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { startTestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

describe("an operation over gRPC (WIRE-61)", () => {
  it("has the types of the revision that started it, from a server that was started since", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-operations-"));
    try {
      const started = await startAndStop(dataDir);
      await using server = await startTestServer({ dataDir });
      const operations = createClient(Operations, createGrpcTransport({ baseUrl: server.address }));
      for (const { name, type } of started) {
        const { result, metadata } = await operations.getOperation({ name });
        assert.equal(result.case === "response" ? result.value.typeUrl : result.case, type);
        assert.equal(metadata?.typeUrl, type.replace("ExportAppResponse", "OperationMetadata"));
      }
      const listed = await operations.listOperations({ name: "projects/local/locations/us" });
      const types = new Map(listed.operations.map(({ name, metadata }) => [name, metadata?.typeUrl]));
      for (const { name, type } of started)
        assert.equal(types.get(name), type.replace("ExportAppResponse", "OperationMetadata"));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

/** Exports an app by a client of each revision; then the server stops. */
async function startAndStop(dataDir: string): Promise<readonly { readonly name: string; readonly type: string }[]> {
  await using server = await startTestServer({ dataDir, example: true });
  const transport = createGrpcTransport({ baseUrl: server.address });
  const v1 = await createClient(AgentServiceV1, transport).exportApp({ name: APP, exportFormat: 1 });
  const v1beta = await createClient(AgentService, transport).exportApp({ name: APP, exportFormat: 1 });
  const operations = createClient(Operations, transport);
  return await Promise.all(
    [
      { name: v1.name, revision: "v1" },
      { name: v1beta.name, revision: "v1beta" },
    ].map(async ({ name, revision }) => {
      await operations.waitOperation({ name, timeout: { seconds: 20n } });
      return { name, type: `type.googleapis.com/google.cloud.ces.${revision}.ExportAppResponse` };
    }),
  );
}
