/** The interface of evaluation runs, golden and scenario. There is no implementation yet: RunEvaluation is UNIMPLEMENTED. */
import type { Evaluation, EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import type { SnapshotRef } from "#session";

/** One evaluation against one snapshot of an app. */
export interface EvaluationCase {
  readonly evaluation: Evaluation;
  readonly snapshot: SnapshotRef;
  readonly useToolFakes: boolean;
  readonly signal: AbortSignal;
}

/** Runs evaluations. */
export interface Evaluations {
  run(evaluationCase: EvaluationCase): Promise<EvaluationResult>;
}
