import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "#testing";
import { finished, type Rest, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";

/** Runs all evaluations of the example and returns the completed run with its results. */
async function runAll(rest: Rest, options: object) {
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = evaluations.map(({ name }: { name: string }) => name);
  const operation = await finished(
    rest,
    await rest("POST", `${APP}:runEvaluation`, { evaluations: names, ...options }),
  );
  assert.equal(operation.error, undefined);
  const run = await rest("GET", operation.response.evaluationRun);
  const results = await Promise.all(run.evaluationResults.map((name: string) => rest("GET", name)));
  return { run, results };
}

for (const goldenRunMethod of ["STABLE", "NAIVE"]) {
  test(`the example's goldens pass on the built-in model: ${goldenRunMethod}`, async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);

    const { run, results } = await runAll(rest, { goldenRunMethod, generateLatencyReport: true });

    assert.equal(run.state, "COMPLETED");
    assert.deepEqual(run.progress, { totalCount: 2, completedCount: 2, passedCount: 2 });
    assert.deepEqual(
      results.map(({ evaluationStatus, executionState }) => [evaluationStatus, executionState]),
      [
        ["PASS", "COMPLETED"],
        ["PASS", "COMPLETED"],
      ],
    );
    assert.equal(run.latencyReport.sessionCount, goldenRunMethod === "STABLE" ? 4 : 2);
  });
}

test("a result links the conversations of its turns, whose source is EVAL", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);

  const { results } = await runAll(rest, { goldenRunMethod: "NAIVE" });

  for (const { goldenResult } of results) {
    const [{ conversation }] = goldenResult.turnReplayResults;
    const { source, turns } = await rest("GET", conversation);
    assert.equal(source, "EVAL");
    assert.equal(turns.length, goldenResult.turnReplayResults.length);
  }
});

test("a golden that expects another answer fails by its similarity or is not measured, and others go on", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  await rest("POST", `${APP}/evaluations?evaluationId=silent-golden`, {
    displayName: "Expects an answer to nothing",
    golden: {
      turns: [
        {
          steps: [{ userInput: { text: "Where is my order A-1001?" } }, { expectation: { noToolCalls: true } }],
        },
      ],
    },
  });

  const { run, results } = await runAll(rest, {});

  assert.deepEqual([run.progress.passedCount, run.progress.failedCount], [2, 1]);
  const failed = results.find(({ name }) => name.includes("/silent-golden/"));
  const [turn] = failed.goldenResult.turnReplayResults;
  assert.equal(turn.expectationOutcome[0].outcome, "FAIL");
  assert.match(
    turn.semanticSimilarityResult.explanation,
    /^The agent answered where the golden expects no answer\. Add /,
  );
});

test("a kept result is scored again by its evaluation as it is now, without running the app", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { results } = await runAll(rest, {});
  const { name, goldenResult } = results.find((result) => result.name.includes("/where-is-my-order/"));
  const { golden } = await rest("GET", `${APP}/evaluations/where-is-my-order`);
  const expectation = golden.turns[0].steps.find(
    ({ expectation: one }: { expectation?: { toolCall?: object } }) => one?.toolCall,
  );
  expectation.expectation.toolCall.args = { order_id: "A-9999" };
  await rest("PATCH", `${APP}/evaluations/where-is-my-order?updateMask=golden`, { golden });

  const operation = await finished(rest, await rest("POST", `${name}:runEvaluationResultMetrics`, {}));

  assert.equal(operation.response?.status, "FAIL", JSON.stringify(operation));
  const again = await rest("GET", name);
  const conversations = (result: { turnReplayResults: { conversation: string }[] }) =>
    result.turnReplayResults.map(({ conversation }) => conversation);
  assert.equal(again.evaluationStatus, "FAIL");
  assert.deepEqual(conversations(again.goldenResult), conversations(goldenResult));
});

test("all results of an evaluation or an app are scored again at once; those that cannot be stay as they are", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { results } = await runAll(rest, { runCount: 3 });
  assert.equal(results.length, 6);
  const { golden } = await rest("GET", `${APP}/evaluations/where-is-my-order`);
  const change = (changed: object) =>
    rest("PATCH", `${APP}/evaluations/where-is-my-order?updateMask=golden`, { golden: changed });
  const scoreAgain = async (path: string) => {
    let operation = await rest("POST", `${APP}/evaluations/${path}:runEvaluationResultMetrics`, {});
    while (operation.name && !operation.done) operation = await rest("GET", operation.name);
    return operation.response?.status ?? operation.error;
  };
  const statuses = async () => {
    const again = await Promise.all(results.map(({ name }) => rest("GET", name)));
    return again.map(({ evaluationStatus }) => evaluationStatus);
  };
  const failing = structuredClone(golden);
  for (const { expectation } of failing.turns[0].steps) if (expectation?.toolCall) expectation.toolCall.args = { a: 1 };

  assert.equal(await scoreAgain("-/results/-"), "PASS");
  await change(failing);
  assert.equal(await scoreAgain("-/results/-"), "FAIL");
  const expected = results.map(({ name }) => (name.includes("/where-is-my-order/") ? "FAIL" : "PASS"));
  assert.deepEqual(await statuses(), expected);

  await change({ ...golden, turns: [...golden.turns, golden.turns[0]] });
  assert.equal(await scoreAgain("where-is-my-order/results/-"), "SKIPPED");
  assert.deepEqual(await statuses(), expected);

  const half = await scoreAgain("-/results/some-result");
  assert.deepEqual([half.code, /evaluations\/-\/results\/-/.test(half.message)], [3, true]);
  assert.equal((await scoreAgain("no-such-evaluation/results/-")).code, 5);
});

test("an evaluation that is deleted while it runs does not fail the run of the others", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = evaluations.map(({ name }: { name: string }) => name);

  const started = await rest("POST", `${APP}:runEvaluation`, { evaluations: names, runCount: 20 });
  await rest("DELETE", `${names[0]}?force=true`);
  const operation = await finished(rest, started);

  assert.equal(operation.error, undefined);
  const run = await rest("GET", operation.response.evaluationRun);
  assert.equal(run.state, "COMPLETED");
  assert.equal(run.evaluationRunSummaries[names[1]].passedCount, 20);
});
