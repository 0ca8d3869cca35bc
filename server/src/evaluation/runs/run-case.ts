import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type EvaluationResult,
  EvaluationResult_ExecutionState as ExecutionState,
} from "@frontdesk/protos/ces/evaluation";
import { definedFields } from "#base";
import { logFault, toStatusError } from "#status";
import type { EvaluationCase, NotMeasured } from "../contract.ts";
import { emptyStep } from "../golden/empty-steps.ts";
import { missingReferences } from "../golden/missing-references.ts";
import { runGolden } from "../golden/run-golden.ts";
import { scoreGolden } from "../golden/score-golden.ts";
import { errorInfo } from "../observation/error-info.ts";
import { runScenario, type ScenarioDeps } from "../scenario/run-scenario.ts";
import { scoreScenario } from "../scenario/score-scenario.ts";
import { toOutcome, type Verdict } from "../verdict.ts";

/** What a case adds to its result. */
export type CaseFindings = Pick<EvaluationResult, "result" | "evaluationStatus" | "executionState"> &
  Partial<Pick<EvaluationResult, "errorInfo">>;

/** Runs and scores one evaluation. Rejects only when `signal` aborts: whatever else goes wrong was not measured. */
export async function runCase(evaluationCase: EvaluationCase, deps: ScenarioDeps): Promise<CaseFindings> {
  try {
    return await measure(evaluationCase, deps);
  } catch (error) {
    evaluationCase.signal.throwIfAborted();
    const { name: evaluation, displayName } = evaluationCase.evaluation;
    logFault(error, deps.logger, "an evaluation could not be measured", { evaluation: evaluation || displayName });
    const { rawMessage } = toStatusError(error);
    return notMeasured({ type: ErrorType.METRIC_CALCULATION_FAILURE, message: rawMessage, session: "" });
  }
}

async function measure(evaluationCase: EvaluationCase, deps: ScenarioDeps): Promise<CaseFindings> {
  const { evaluation } = evaluationCase;
  const { inputs } = evaluation;
  if (inputs.case === "scenario") {
    const brief = { scenario: inputs.value, persona: evaluationCase.persona };
    const run = await runScenario(brief, evaluationCase, deps);
    // Judges would be asked about nothing.
    if (run.problem && run.turns.length === 0) return notMeasured(run.problem);
    const { result, verdict, problem } = await scoreScenario(brief, run, evaluationCase, deps);
    return { result: { case: "scenarioResult", value: result }, ...statusOf(verdict, problem) };
  }
  if (inputs.case !== "golden") {
    const message = `Evaluation '${evaluation.displayName}' has neither a golden nor a scenario.`;
    return notMeasured({ type: ErrorType.RUNTIME_FAILURE, message, session: "" });
  }
  if (inputs.value.turns.length === 0) {
    const message = `The golden of evaluation '${evaluation.displayName}' has no turns, so there is nothing to check. Add one.`;
    return notMeasured({ type: ErrorType.RUNTIME_FAILURE, message, session: "" });
  }
  const missing = emptyStep(inputs.value) ?? missingReferences(inputs.value, evaluationCase.snapshot.snapshot);
  if (missing) return notMeasured(missing);
  const turns = await runGolden(inputs.value, evaluationCase, deps);
  const { result, verdict, problem } = await scoreGolden(inputs.value, turns, evaluationCase, deps);
  return { result: { case: "goldenResult", value: result }, ...statusOf(verdict, problem) };
}

/** A case whose app could not answer ends with ERROR; one of which a judge's metric is missing is complete, and SKIPPED. */
export function statusOf(verdict: Verdict, problem: NotMeasured | undefined): Omit<CaseFindings, "result"> {
  const isError = verdict === "not-measured" && problem !== undefined;
  return {
    evaluationStatus: toOutcome(verdict),
    executionState: isError ? ExecutionState.ERROR : ExecutionState.COMPLETED,
    ...definedFields({ errorInfo: problem && errorInfo(problem) }),
  };
}

/** A case of which nothing is known. */
export function notMeasured(problem: NotMeasured): CaseFindings {
  return {
    result: { case: undefined },
    evaluationStatus: toOutcome("not-measured"),
    executionState: ExecutionState.ERROR,
    errorInfo: errorInfo(problem),
  };
}
