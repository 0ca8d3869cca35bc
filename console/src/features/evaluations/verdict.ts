import {
  type EvaluationResult,
  type EvaluationRun_EvaluationRunSummary,
  EvaluationResult_ExecutionState as ExecutionState,
  EvaluationResult_Outcome as Outcome,
} from "@frontdesk/protos/ces/evaluation";
import type { Verdict } from "./statistics.ts";

/** What is known of a result: its verdict, or why it has none. */
export type ResultState = Verdict | "queued" | "running" | "cancelled";

/** The state of a result. What was not measured neither passed nor failed. */
export function resultState({
  executionState,
  evaluationStatus,
}: Pick<EvaluationResult, "executionState" | "evaluationStatus">): ResultState {
  if (executionState === ExecutionState.QUEUED) return "queued";
  if (executionState === ExecutionState.RUNNING) return "running";
  if (executionState === ExecutionState.CANCELLED) return "cancelled";
  return verdictOf(evaluationStatus);
}

/** The verdict that an outcome of the API stands for. */
export function verdictOf(outcome: Outcome): Verdict {
  if (outcome === Outcome.PASS) return "passed";
  return outcome === Outcome.FAIL ? "failed" : "not-measured";
}

/** The verdicts that counts stand for. */
export function countedVerdicts({ passedCount, failedCount, errorCount }: Counts): readonly Verdict[] {
  const times = (count: number, verdict: Verdict) => Array.from({ length: count }, () => verdict);
  return [...times(passedCount, "passed"), ...times(failedCount, "failed"), ...times(errorCount, "not-measured")];
}

type Counts = Pick<EvaluationRun_EvaluationRunSummary, "passedCount" | "failedCount" | "errorCount">;
