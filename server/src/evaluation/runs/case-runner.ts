import {
  EvaluationRunCachingSettings_EvaluationRunCachingMode as CachingMode,
  type EvaluationRunCachingSettings,
} from "@frontdesk/protos/ces/common";
import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type EvaluationResult,
  type EvaluationRun,
  EvaluationResult_ExecutionState as ExecutionState,
} from "@frontdesk/protos/ces/evaluation";
import type { EvaluatedApp } from "../contract.ts";
import { AnswerCache } from "../replay/answer-cache.ts";
import { answersKey, repeatNumbers } from "../replay/answers-key.ts";
import { caseReader } from "./case-reader.ts";
import { evaluatedSnapshot } from "./evaluated-draft.ts";
import type { RunDeps } from "./execute-run.ts";
import { type CaseFindings, notMeasured, runCase } from "./run-case.ts";

/** How the cases of a run are run, by whichever server. */
export interface CaseOptions {
  /** Whether kept answers of models and other servers stand in for them. Default: as the app says, else not. */
  readonly caching: EvaluationRunCachingSettings | undefined;
  readonly signal: AbortSignal;
}

/** Returns what runs the case of a result of a run. `evaluated`: its app. */
export async function caseRunner(
  run: Pick<EvaluationRun, "name" | "appVersion" | "evaluationResults">,
  evaluated: EvaluatedApp,
  options: CaseOptions,
  deps: RunDeps,
): Promise<(result: EvaluationResult) => Promise<CaseFindings>> {
  const snapshot = await evaluatedSnapshot(run, evaluated.app.name, deps);
  const caching = options.caching ?? evaluated.app.evaluationSettings?.evaluationRunCachingSettings;
  const skipsUnchanged = caching?.runCachingMode === CachingMode.SKIP_IF_UNCHANGED;
  const repeats = repeatNumbers(run.evaluationResults);
  const caseOf = caseReader(evaluated, snapshot, options.signal, deps.ids);
  return async (result) => {
    const key = answersKey(result, repeats.get(result.name) ?? 0);
    const answers = skipsUnchanged ? AnswerCache.read(await deps.blobs.get(key)) : new AnswerCache();
    const evaluationCase = caseOf(result, answers);
    const findings = evaluationCase ? await runCase(evaluationCase, deps) : MISSING;
    const bytes = findings.executionState === ExecutionState.COMPLETED ? answers.bytes() : undefined;
    if (bytes) await deps.blobs.put(key, bytes);
    return findings;
  };
}

/** Whether a result has no outcome yet. One of a run that failed for good, and is begun again, is in the state of the run, without an error of its own. */
export function isLeft({ executionState, errorInfo }: EvaluationResult): boolean {
  if (executionState === ExecutionState.ERROR) return errorInfo === undefined;
  return executionState === ExecutionState.QUEUED || executionState === ExecutionState.RUNNING;
}

/** The evaluation was deleted while its run was waiting. */
const MISSING = notMeasured({
  type: ErrorType.RUNTIME_FAILURE,
  message: "The evaluation was deleted before it ran.",
  session: "",
});
