import { clone, create } from "@bufbuild/protobuf";
import {
  type EvaluationRun,
  OptimizationConfigSchema,
  type RunEvaluationRequest,
  RunEvaluationRequestSchema,
  EvaluationRun_EvaluationRunState as RunState,
} from "@frontdesk/protos/ces/evaluation";
import { failedPrecondition, invalidArgument } from "#status";
import type { EvaluatedApp, EvaluationResources } from "../contract.ts";
import { evaluationOf } from "./run-progress.ts";

/** What the name of a run that goes on with another one ends with. */
const CONTINUED = /, continued(?: on a changed draft)?$/;

/**
 * The request with what it takes over from the run that it continues (EVAL-107): the evaluations that have no verdict there, or
 * failed if it wants these too, unless it names some, and how they ran. The same request when it continues none.
 */
export async function continuing(
  request: RunEvaluationRequest,
  { evaluations }: EvaluatedApp,
  resources: Pick<EvaluationResources, "run" | "draftChangedSince">,
): Promise<RunEvaluationRequest> {
  const { app, continuedRun } = request;
  if (continuedRun === "") {
    if (!request.includeFailedEvaluations) return request;
    const description = "Says what runs of a continued_run, and there is none. Set that, or leave this out.";
    throw invalidArgument({ field: "include_failed_evaluations", description });
  }
  if (!continuedRun.startsWith(`${app}/evaluationRuns/`))
    throw invalidArgument({ field: "continued_run", description: `Must be a run of ${app}; it is '${continuedRun}'.` });
  const run = await resources.run(continuedRun);
  checkRun(request, run);
  const continued = withSettingsOf(request, run);
  continued.displayName ||= await continuedName(app, run, resources);
  if (continued.evaluations.length > 0 || continued.evaluationDataset !== "") return continued;
  // One that could not start has no results: all of it is left.
  if (run.evaluationResults.length === 0) {
    return Object.assign(continued, { evaluations: run.evaluations, evaluationDataset: run.evaluationDataset });
  }
  const existing = new Set(evaluations.map(({ name }) => name));
  continued.evaluations = unfinished(run, request).filter((name) => existing.has(name));
  if (continued.evaluations.length > 0) return continued;
  const ended = request.includeFailedEvaluations ? "passed" : "passed or failed";
  throw failedPrecondition(
    `Nothing is left of run '${run.displayName}': each of its evaluations that the app still has ${ended}. Name evaluations to run them again.`,
  );
}

function checkRun({ appVersion, deployment }: RunEvaluationRequest, run: EvaluationRun): void {
  if (deployment !== "" || (appVersion !== "" && appVersion !== run.appVersion)) {
    const description = `A run goes on with what it began with, ${run.appVersionDisplayName || "the draft"}. Leave it out, or leave continued_run out.`;
    throw invalidArgument({ field: deployment === "" ? "app_version" : "deployment", description });
  }
  if (run.state !== RunState.QUEUED && run.state !== RunState.RUNNING) return;
  throw failedPrecondition(`Run '${run.displayName}' still runs. Wait for its end, or cancel it.`);
}

/** The name of a run with what it goes on with: results of two drafts are not those of one (EVAL-115). */
async function continuedName(
  app: string,
  { displayName, appVersion, changelogCreateTime, createTime }: EvaluationRun,
  resources: Pick<EvaluationResources, "draftChangedSince">,
): Promise<string> {
  const began = changelogCreateTime ?? createTime;
  const hasChanged = appVersion === "" && began !== undefined && (await resources.draftChangedSince(app, began));
  return `${displayName.replace(CONTINUED, "")}, continued${hasChanged ? " on a changed draft" : ""}`;
}

/** The request with the settings of a run where it has none of its own. */
function withSettingsOf(request: RunEvaluationRequest, run: EvaluationRun): RunEvaluationRequest {
  const continued = clone(RunEvaluationRequestSchema, request);
  continued.appVersion = run.appVersion;
  continued.goldenRunMethod ||= run.goldenRunMethod;
  continued.generateLatencyReport ||= run.latencyReport !== undefined;
  continued.config ??= run.config;
  if (continued.runCount === undefined && run.runCount > 0) continued.runCount = run.runCount;
  if (continued.personaRunConfigs.length === 0) continued.personaRunConfigs = run.personaRunConfigs;
  if (run.optimizationConfig?.generateLossReport && !continued.optimizationConfig)
    continued.optimizationConfig = create(OptimizationConfigSchema, { generateLossReport: true });
  return continued;
}

/** The evaluations of a run with an attempt that did not pass, or that neither passed nor failed. */
function unfinished(
  { evaluationResults, evaluationRunSummaries }: EvaluationRun,
  { includeFailedEvaluations }: RunEvaluationRequest,
): readonly string[] {
  const attempts = Map.groupBy(evaluationResults, evaluationOf);
  return [...attempts.keys()].filter((evaluation) => {
    const { passedCount = 0, failedCount = 0 } = evaluationRunSummaries[evaluation] ?? {};
    const done = passedCount + (includeFailedEvaluations ? 0 : failedCount);
    return done < (attempts.get(evaluation)?.length ?? 0);
  });
}
