import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EvaluationRun_EvaluationRunSummary as Summary } from "@frontdesk/protos/ces/evaluation";
import { type CountedRun, compareRuns } from "../src/features/evaluations/compare-runs.ts";

const APP = "projects/p/locations/l/apps/a";

type Counts = Partial<Pick<Summary, "passedCount" | "failedCount" | "errorCount">>;

/** A run of evaluations `e0`, `e1` and so on, with these counts. */
function run(...counts: readonly Counts[]): CountedRun {
  const none = { passedCount: 0, failedCount: 0, errorCount: 0 };
  return {
    evaluationRunSummaries: Object.fromEntries(
      counts.map((each, at) => [`${APP}/evaluations/e${at}`, { ...none, ...each } as Summary]),
    ),
  };
}

const PASS = { passedCount: 1 };
const FAIL = { failedCount: 1 };
const times = (count: number, each: Counts) => Array.from({ length: count }, () => each);

describe("two runs", () => {
  it("are compared by the evaluations that are in both", () => {
    const { evaluations, verdicts } = compareRuns(run(PASS), run(PASS, FAIL));
    assert.deepEqual(
      evaluations.map(({ evaluation }) => evaluation),
      [`${APP}/evaluations/e0`],
    );
    assert.equal(verdicts.n, 1);
  });

  it("show a drop that chance does not explain", () => {
    const { verdicts, rates } = compareRuns(run(...times(10, PASS)), run(...times(10, FAIL)));
    assert.deepEqual([verdicts.worse, verdicts.better, verdicts.change], [10, 0, -1]);
    assert.equal(verdicts.pDrop, 1 / 1024);
    assert.deepEqual(rates.interval, [-1, -1]);
  });

  it("count an evaluation once, however often it ran", () => {
    const { verdicts } = compareRuns(run({ passedCount: 20 }), run({ failedCount: 20 }));
    assert.deepEqual([verdicts.n, verdicts.worse, verdicts.pDrop], [1, 1, 1 / 2]);
  });

  it("count what was not measured apart", () => {
    const { verdicts } = compareRuns(run(PASS, PASS), run({ errorCount: 1 }, PASS));
    assert.deepEqual([verdicts.n, verdicts.notMeasured, verdicts.worse], [1, 1, 0]);
  });

  it("count an evaluation as worse that passed a smaller share of its attempts", () => {
    const { verdicts, rates } = compareRuns(
      run({ passedCount: 5 }, { passedCount: 5 }, { passedCount: 1, failedCount: 1 }),
      run({ passedCount: 3, failedCount: 2 }, { passedCount: 5 }, { passedCount: 2 }),
    );
    assert.deepEqual([verdicts.n, verdicts.worse, verdicts.better], [3, 1, 1]);
    assert.equal(rates.change?.toFixed(3), ((-0.4 + 0.5) / 3).toFixed(3));
  });

  it("raise no alarm because one of them ran each evaluation more often", () => {
    const flaky = { passedCount: 4, failedCount: 1 };
    const once = times(80, PASS).concat(times(20, FAIL));
    const often = times(100, flaky);
    for (const [before, after] of [
      [run(...once), run(...often)],
      [run(...often), run(...once)],
    ] as const)
      assert.ok(compareRuns(before, after).verdicts.pDrop > 0.05);
  });
});
