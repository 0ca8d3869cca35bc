import { create } from "@bufbuild/protobuf";
import {
  type EvaluationResult,
  type EvaluationRun_EvaluationRunSummary,
  type EvaluationRun_Progress,
  EvaluationResult_ExecutionState as ExecutionState,
  EvaluationResult_Outcome as Outcome,
  EvaluationRun_ProgressSchema as ProgressSchema,
  EvaluationRun_EvaluationRunSummarySchema as SummarySchema,
} from "@frontdesk/protos/ces/evaluation";

/** How far a run is, by the states and outcomes of its results. */
export function progressOf(results: readonly EvaluationResult[]): EvaluationRun_Progress {
  const count = (matches: (result: EvaluationResult) => boolean) => results.filter(matches).length;
  return create(ProgressSchema, {
    totalCount: results.length,
    completedCount: count(isCompleted),
    passedCount: count((result) => isCompleted(result) && result.evaluationStatus === Outcome.PASS),
    failedCount: count((result) => isCompleted(result) && result.evaluationStatus === Outcome.FAIL),
    errorCount: count(({ executionState }) => executionState === ExecutionState.ERROR),
    cancelledCount: count(({ executionState }) => executionState === ExecutionState.CANCELLED),
  });
}

/** Counts by evaluation name. What was not measured is an error: it neither passed nor failed. */
export function summariesOf(results: readonly EvaluationResult[]): Record<string, EvaluationRun_EvaluationRunSummary> {
  const summaries: Record<string, EvaluationRun_EvaluationRunSummary> = {};
  for (const result of results) {
    const evaluation = evaluationOf(result.name);
    const summary = summaries[evaluation] ?? create(SummarySchema);
    summaries[evaluation] = summary;
    if (result.evaluationStatus === Outcome.PASS) summary.passedCount += 1;
    else if (result.evaluationStatus === Outcome.FAIL) summary.failedCount += 1;
    else if (result.evaluationStatus === Outcome.SKIPPED) summary.errorCount += 1;
  }
  return summaries;
}

/** The evaluation of a result, by their names. */
export function evaluationOf(result: string): string {
  return result.slice(0, result.indexOf("/results/"));
}

function isCompleted({ executionState }: EvaluationResult): boolean {
  return executionState === ExecutionState.COMPLETED;
}
