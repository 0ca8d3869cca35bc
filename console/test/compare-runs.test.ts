import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  type EvaluationResult,
  EvaluationResultSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  EvaluationResult_Outcome as Outcome,
} from "@frontdesk/protos/ces/evaluation";
import { compareRuns } from "../src/features/evaluations/compare-runs.ts";

const APP = "projects/p/locations/l/apps/a";

/** One result an evaluation, `e0`, `e1` and so on, with these outcomes. */
function run(...outcomes: readonly Outcome[]): readonly EvaluationResult[] {
  return outcomes.map((evaluationStatus, at) =>
    create(EvaluationResultSchema, {
      name: `${APP}/evaluations/e${at}/results/r`,
      evaluationStatus,
      executionState: evaluationStatus === Outcome.SKIPPED ? ExecutionState.ERROR : ExecutionState.COMPLETED,
    }),
  );
}

const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe("two runs", () => {
  it("are compared by the evaluations that are in both", () => {
    const { evaluations, verdicts } = compareRuns(run(Outcome.PASS), run(Outcome.PASS, Outcome.FAIL));
    assert.deepEqual(
      evaluations.map(({ evaluation }) => evaluation),
      [`${APP}/evaluations/e0`],
    );
    assert.equal(verdicts.n, 1);
  });

  it("show a drop that chance does not explain", () => {
    const { verdicts, rates } = compareRuns(run(...times(10, Outcome.PASS)), run(...times(10, Outcome.FAIL)));
    assert.deepEqual([verdicts.worse, verdicts.better, verdicts.change], [10, 0, -1]);
    assert.equal(verdicts.pDrop, 1 / 1024);
    assert.deepEqual(rates.interval, [-1, -1]);
  });

  it("count an evaluation once, however often it ran", () => {
    const attempts = (outcome: Outcome) => times(20, outcome).flatMap((one) => run(one));
    const { verdicts } = compareRuns(attempts(Outcome.PASS), attempts(Outcome.FAIL));
    assert.deepEqual([verdicts.n, verdicts.worse, verdicts.pDrop], [1, 1, 1 / 2]);
  });

  it("count what was not measured apart", () => {
    const { verdicts } = compareRuns(run(Outcome.PASS, Outcome.PASS), run(Outcome.SKIPPED, Outcome.PASS));
    assert.deepEqual([verdicts.n, verdicts.notMeasured, verdicts.worse], [1, 1, 0]);
  });
});
