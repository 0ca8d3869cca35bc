// GenerateAppResource as an operation: the same on every wire, cancelled, and ended by a restart.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import {
  AgentService,
  GenerateAppResourceOperationMetadataSchema as MetadataSchema,
  GenerateAppResourceResponseSchema as ResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { startTestServer, type TestServer } from "#testing";
import { CALL_SURFACES } from "../conformance/requirements/requirement.ts";
import { wireFor } from "../conformance/verifies.ts";
import { ask } from "../mcp/client.ts";
import { restOf } from "../rest.ts";
import { emptyApp } from "./generate.ts";
import { WritingModel } from "./writing-model.ts";

const DESK = "projects/local/locations/us/apps/order-desk";
const PERSONAS = { explanation: "One.", personas: [{ name: "Calm", description: "", personality: "Is calm." }] };

let server: TestServer;
const model = new WritingModel();
const rest = restOf(() => server);
before(async () => {
  server = await startTestServer({ model, example: true });
});
after(() => server[Symbol.asyncDispose]());

/** A model call that ends when the test says so, or is cancelled. */
function waiting() {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  model.answers = [
    (_request, { signal }) => {
      asked.resolve();
      return new Promise<object>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          left.resolve();
          reject(signal.reason);
        });
      });
    },
  ];
  return { asked: asked.promise, left: left.promise };
}

describe("a generation", () => {
  for (const surface of CALL_SURFACES) {
    it(`is started, watched and answered over ${surface}`, async () => {
      model.answers = [PERSONAS];
      const wire = wireFor(surface, server.address);
      const started = await wire
        .client(AgentService)
        .generateAppResource({ parent: DESK, evaluationPersonasGenerationConfig: {} });
      await server.app.operations.wait(started.name, 60_000);
      const ended: Operation = await wire.client(Operations).getOperation({ name: started.name });
      const metadata = ended.metadata && anyUnpack(ended.metadata, MetadataSchema);
      assert.deepEqual(
        [metadata?.target, metadata?.generationType, metadata?.message, metadata?.partialErrors],
        [DESK, 6, "Done.", []],
      );
      assert.ok(metadata?.endTime);
      const response = ended.result.case === "response" ? anyUnpack(ended.result.value, ResponseSchema) : undefined;
      assert.equal(response?.generatedResource.case, "appSnapshot");
      assert.match(response?.generateResultInfo?.explanation ?? "", /adds the persona 'Calm'/);
    });
  }

  it("is a tool of MCP, whose dry run checks the request and starts nothing", async () => {
    model.answers = [PERSONAS];
    const call = async (args: object, path = "/mcp") => {
      const params = { name: "generate_app_resource", arguments: { parent: DESK, ...args } };
      const { result } = await ask(server.address, "tools/call", params, { path });
      return result.content?.[0]?.text ?? "";
    };
    const { operations = [] } = await rest("GET", "projects/local/locations/us/operations?pageSize=1000");
    const dry = await call({ evaluationPersonasGenerationConfig: {} }, "/mcp?dryRun=1");
    assert.deepEqual(JSON.parse(dry), { done: true });
    const refused = await call({ appGenerationConfig: { context: "x".repeat(100_001) } }, "/mcp?dryRun=1");
    assert.match(refused, /app_generation_config\.context/);
    const after = await rest("GET", "projects/local/locations/us/operations?pageSize=1000");
    assert.equal((after.operations ?? []).length, operations.length);
    const { name } = JSON.parse(await call({ evaluationPersonasGenerationConfig: {} }));
    await server.app.operations.wait(name, 60_000);
    assert.equal((await rest("GET", name)).response.appSnapshot.app.evaluationPersonas.length, 1);
  });

  it("ends with CANCELLED when it is cancelled, and leaves the model at once", async () => {
    const { asked, left } = waiting();
    const { name } = await rest("POST", `${DESK}:generateAppResource`, { evaluationPersonasGenerationConfig: {} });
    await asked;
    await rest("POST", `${name}:cancel`, {});
    await left;
    await server.app.operations.wait(name, 60_000);
    assert.equal((await rest("GET", name)).error.code, Code.Canceled);
  });

  it("that a server did not finish before it stopped is told, and can be started again", async (t) => {
    const first = await startTestServer({ model, config: { drainMs: 10 } });
    const app = await emptyApp(first, "restarted");
    const { asked } = waiting();
    const { name } = await restOf(() => first)("POST", `${app}:generateAppResource`, {
      appGenerationConfig: { context: "A shop." },
    });
    await asked;
    await first.stop();
    t.after(() => rm(first.dataDir, { recursive: true, force: true, maxRetries: 5 }));
    await using second = await startTestServer({ model, dataDir: first.dataDir });
    const { error, metadata } = await restOf(() => second)("GET", name);
    assert.deepEqual([error.code, error.details[0].reason], [Code.Aborted, "SERVER_STOPPED"]);
    assert.equal(metadata.target, app);
    const again = await restOf(() => second)("POST", `${app}:generateAppResource`, {
      toolGenerationConfig: {
        openApiToolsetGenerationConfig: {
          uri: "https://shop.example",
          operationGenerationConfigs: [{ method: "GET", path: "/", responseJson: "{}" }],
        },
      },
    });
    await second.app.operations.wait(again.name, 60_000);
    assert.ok((await restOf(() => second)("GET", again.name)).response.toolset);
  });
});
