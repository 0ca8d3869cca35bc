import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { finished, restOf } from "../rest.ts";

const PARENT = "projects/p/locations/us";
const APP = `${PARENT}/apps/shared`;
const CASES = 40;

/** A model that takes its time, and counts its calls. */
function slowModel() {
  const model = {
    calls: 0,
    label: "test/slow",
    capabilities: LLM_CAPABILITIES,
    async *stream(): AsyncGenerator<StreamPart, void> {
      model.calls += 1;
      await delay(150);
      yield { kind: "text-delta", text: "Hello." };
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
    },
  };
  return model satisfies LanguageModel;
}

describe("an evaluation run of one of two servers (EVAL-91)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let servers: readonly TestServer[] = [];
  const models = [slowModel(), slowModel()];
  const [one, other] = [restOf(() => servers[0] as TestServer), restOf(() => servers[1] as TestServer)];

  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const evaluation = { concurrency: 2, judge: "", user: "" };
    const config = { database: { url: postgres.url, connections: 4 }, sealing, evaluation };
    servers = [
      await startTestServer({ model: models[0] as LanguageModel, config }),
      await startTestServer({ model: models[1] as LanguageModel, config }),
    ];
    await one("POST", `${PARENT}/apps?appId=shared`, { displayName: "Shared" });
    await one("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", llmAgent: {}, instruction: "Greet." });
    await one("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
    const golden = { turns: [{ steps: [{ userInput: { text: "Hi" } }] }] };
    await one("POST", `${APP}/evaluations?evaluationId=greeting`, { displayName: "Greeting", golden });
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  const start = (runCount = CASES) =>
    one("POST", `${APP}:runEvaluation`, { evaluations: [`${APP}/evaluations/greeting`], runCount });

  it("has its cases run by both, each case once", async () => {
    const { response, error } = await finished(one, await start());
    assert.equal(error, undefined);
    const { state, progress } = await other("GET", response.evaluationRun);
    assert.deepEqual([state, progress.completedCount], ["COMPLETED", CASES]);
    const calls = models.map((model) => model.calls);
    assert.equal(
      calls.reduce((sum, count) => sum + count),
      CASES,
      String(calls),
    );
    assert.ok(Math.min(...calls) > CASES / 10, String(calls));
  });

  it("ends on both when it is cancelled at the other one, and stores no result afterwards", async () => {
    const before = models[1]?.calls;
    // So many that some are left when the other server has begun one of them, however slow the machine is.
    const { name, metadata } = await start(100);
    while (models[1]?.calls === before) await delay(20);
    await other("POST", `${name}:cancel`, {});
    const { error } = await finished(one, { name });
    assert.equal(error.code, 1);
    const { state, evaluationResults } = await one("GET", metadata.evaluationRun);
    const results = await Promise.all(evaluationResults.map((result: string) => other("GET", result)));
    const states = new Set(results.map(({ executionState }) => executionState));
    assert.deepEqual([state, states.has("CANCELLED"), states.has("QUEUED")], ["CANCELLED", true, false]);
  });
});
