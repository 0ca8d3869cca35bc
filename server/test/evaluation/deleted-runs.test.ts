import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { finished, type Rest, restOf } from "../rest.ts";
import { playing } from "./playing-model.ts";

/** Milliseconds after which a run looks whether it is still there, and more. */
const PROGRESS_MS = 600;

const GOLDEN = {
  turns: [
    {
      steps: [
        { userInput: { text: "When do you open?" } },
        { expectation: { agentResponse: { role: "agent", chunks: [{ text: "We open at nine." }] } } },
      ],
    },
  ],
};

describe("what is deleted while its run is on (EVAL-92)", () => {
  let server: TestServer;
  let rest: Rest;
  /** Model calls so far. */
  let calls = 0;
  /** Lets the calls answer that wait. */
  let release = () => {};
  const model = playing({
    agent: (_, signal) => {
      calls += 1;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => reject(signal.reason));
      const before = release;
      release = () => {
        before();
        resolve("We open at nine.");
      };
      return promise;
    },
  });

  before(async () => {
    server = await startTestServer({ model });
    rest = restOf(() => server);
  });
  after(() => server[Symbol.asyncDispose]());

  /** An app with twenty evaluations, of which some run. */
  async function begin(id: string, options: object = {}) {
    const app = `projects/local/locations/us/apps/${id}`;
    await rest("POST", `projects/local/locations/us/apps?appId=${id}`, { displayName: id });
    await rest("POST", `${app}/agents?agentId=only-agent`, { displayName: "Only", instruction: "Answer." });
    await rest("PATCH", `${app}?updateMask=rootAgent`, { rootAgent: `${app}/agents/only-agent` });
    const evaluations: string[] = [];
    for (let number = 0; number < 20; number++) {
      const body = { displayName: `Case ${number}`, golden: GOLDEN };
      evaluations.push((await rest("POST", `${app}/evaluations?evaluationId=case-${number}`, body)).name);
    }
    calls = 0;
    const operation = await rest("POST", `${app}:runEvaluation`, { evaluations, ...options });
    while (calls === 0) await pause(20);
    return { app, evaluations, operation, run: operation.metadata.evaluationRun as string };
  }

  /** Lets calls answer until the operation is done. */
  async function end(operation: { readonly name: string }) {
    const ending = finished(rest, operation);
    const timer = setInterval(() => release(), 20);
    return ending.finally(() => clearInterval(timer));
  }

  const results = async (app: string) =>
    (await rest("GET", `${app}/evaluations/-/results?pageSize=1000`)).evaluationResults ?? [];

  it("a run that is deleted ends, with no further case, and does not come back", async () => {
    const { app, operation, run } = await begin("deleted-run");

    await rest("DELETE", run);
    await pause(PROGRESS_MS);
    const ended = await end(operation);

    assert.equal(ended.error.code, 5, "NOT_FOUND");
    assert.ok(calls < 20, `${calls} cases were run`);
    assert.equal((await fetch(`${server.address}/v1beta/${run}`)).status, 404);
    assert.deepEqual(await results(app), []);
  });

  it("an app that is deleted leaves nothing to the next one of its id", async () => {
    const { app, operation } = await begin("deleted-app");

    await rest("DELETE", app);
    await pause(PROGRESS_MS);
    const ended = await end(operation);
    await rest("POST", "projects/local/locations/us/apps?appId=deleted-app", { displayName: "Next" });

    assert.equal(ended.error.code, 5, "NOT_FOUND");
    assert.deepEqual(await results(app), []);
    assert.equal((await rest("GET", `${app}/evaluationRuns`)).evaluationRuns, undefined);
  });

  it("an evaluation or a result that is deleted does not come back, and the other cases go on", async () => {
    const { app, evaluations, operation } = await begin("deleted-case");
    const [first, second] = evaluations;
    const [{ name }] = (await rest("GET", `${second}/results`)).evaluationResults;

    await rest("DELETE", `${first}`);
    await rest("DELETE", name);
    const ended = await end(operation);

    assert.equal(ended.error, undefined);
    const names = (await results(app)).map((result: { name: string }) => result.name);
    assert.equal(names.length, 18);
    assert.ok(!names.some((each: string) => each === name || each.startsWith(`${first}/`)));
  });

  it("a run that is cancelled tells the times of what ran until then (EVAL-103)", async () => {
    const { operation, run } = await begin("cancelled-run", { generateLatencyReport: true });
    const completed = async () => (await rest("GET", run)).progress.completedCount ?? 0;
    release();
    while ((await completed()) === 0) await pause(20);

    await rest("POST", `${operation.name}:cancel`, {});
    await finished(rest, operation);

    const { state, progress, latencyReport } = await rest("GET", run);
    assert.equal(state, "CANCELLED");
    assert.ok(progress.cancelledCount > 0);
    assert.equal(latencyReport.sessionCount, progress.completedCount);
    assert.equal(latencyReport.llmCallLatencies[0].latencyMetrics.callCount, progress.completedCount);
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
