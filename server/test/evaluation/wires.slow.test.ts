import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import {
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  EvaluationRun_EvaluationRunState as RunState,
} from "@frontdesk/protos/ces/evaluation";
import {
  EvaluationService,
  ExportEvaluationsResponseSchema,
  ImportEvaluationsResponseSchema,
  RunEvaluationResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { startTestServer, type TestServer } from "#testing";
import { CALL_SURFACES, type CallSurface } from "../conformance/requirements/requirement.ts";
import { wireFor } from "../conformance/verifies.ts";
import { ask } from "../mcp/client.ts";

const APP = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

describe("the methods of EvaluationService", () => {
  it("are all served", async () => {
    const transport = createConnectTransport({ baseUrl: server.address, httpVersion: "1.1" });
    const client = createClient(EvaluationService, transport) as unknown as Record<
      string,
      (request: object) => Promise<unknown>
    >;
    for (const method of EvaluationService.methods) {
      // Without its required fields a served method refuses the request, and one that is not served the method.
      await assert.rejects(
        async () => client[method.localName]?.(create(method.input)),
        (error) => ConnectError.from(error).code === Code.InvalidArgument,
        method.name,
      );
    }
  });

  it("are all tools of MCP, or of the hosted server under another name", async () => {
    const { result } = await ask(server.address, "tools/list");
    const names = new Set((result.tools ?? []).map(({ name }) => name));
    const renamed: Readonly<Record<string, string>> = {
      generate_evaluation: "generate_evaluation_from_conversation",
    };
    const missing = EvaluationService.methods
      .map(({ name }) => name.replace(/(?<!^)(?=[A-Z])/g, "_").toLowerCase())
      .filter((name) => !names.has(renamed[name] ?? name));
    assert.deepEqual(missing, []);
  });

  for (const surface of CALL_SURFACES) {
    it(`run, list, export, import, schedule and delete over ${surface}`, () => walk(surface));
  }
});

/** What a team does with evaluations, from a run to its deletion. */
async function walk(surface: CallSurface): Promise<void> {
  const wire = wireFor(surface, server.address);
  const client = wire.client(EvaluationService);
  const operations = wire.client(Operations);
  const finished = async (started: Operation): Promise<Operation> => {
    let operation = started;
    while (!operation.done) operation = await operations.getOperation({ name: operation.name });
    assert.notEqual(operation.result.case, "error", JSON.stringify(operation.result.value));
    return operation;
  };
  const responseOf = ({ result }: Operation) => {
    if (result.case === "response") return result.value;
    return assert.fail("the operation has no response");
  };

  const { evaluations } = await client.listEvaluations({ parent: APP });
  const names = evaluations.map(({ name }) => name);
  const ran = await finished(await client.runEvaluation({ app: APP, evaluations: names }));
  const name = anyUnpack(responseOf(ran), RunEvaluationResponseSchema)?.evaluationRun ?? "";
  const run = await client.getEvaluationRun({ name });
  assert.equal(run.state, RunState.COMPLETED);
  const filter = `evaluation_run="${name}"`;
  const { evaluationResults } = await client.listEvaluationResults({ parent: `${APP}/evaluations/-`, filter });
  assert.deepEqual(evaluationResults.map((result) => result.name).sort(), [...run.evaluationResults].sort());

  const exported = await finished(await client.exportEvaluations({ parent: APP, names, includeEvaluations: true }));
  const content = anyUnpack(responseOf(exported), ExportEvaluationsResponseSchema)?.evaluations.value;
  assert.ok(content instanceof Uint8Array);
  const source = { case: "csvContent", value: content } as const;
  const conflictResolutionStrategy = 1;
  const imported = await finished(
    await client.importEvaluations({ parent: APP, source, importOptions: { conflictResolutionStrategy } }),
  );
  assert.equal(anyUnpack(responseOf(imported), ImportEvaluationsResponseSchema)?.evaluations.length, names.length);

  const scheduled = await client.createScheduledEvaluationRun({
    parent: APP,
    scheduledEvaluationRun: {
      displayName: `By ${surface}`,
      active: true,
      request: { app: APP, evaluations: names },
      schedulingConfig: { frequency: Frequency.DAILY, startTime: { seconds: 4_102_444_800n } },
    },
  });
  assert.equal(scheduled.nextScheduledExecutionTime?.seconds, 4_102_444_800n);
  await client.deleteScheduledEvaluationRun({ name: scheduled.name });
  await finished(await client.deleteEvaluationRun({ name }));
  await assert.rejects(client.getEvaluationRun({ name }), (error) => ConnectError.from(error).code === Code.NotFound);
}
