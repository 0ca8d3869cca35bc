import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { App, EvaluationPersona } from "@frontdesk/protos/ces/app";
import {
  EvaluationConfig_EvaluationChannel as Channel,
  type Evaluation,
  type EvaluationConfig,
  EvaluationConfigSchema,
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  type RunEvaluationRequest,
  EvaluationRun_EvaluationRunState as RunState,
  EvaluationRun_EvaluationType as RunType,
} from "@frontdesk/protos/ces/evaluation";
import { EvaluationToolCallBehaviour as ToolCallBehaviour } from "@frontdesk/protos/ces/fakes";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import { definedFields, type Ids } from "#base";
import { type FieldViolation, failedPrecondition, invalidArgument, notFound } from "#status";
import type { EvaluatedApp, EvaluatedSnapshot } from "../contract.ts";
import { toolCallBehaviourOf } from "../tool-call-behaviour.ts";

/** A run before its first case: all its results exist, queued. */
interface PlannedRun {
  readonly run: EvaluationRun;
  readonly results: readonly EvaluationResult[];
}

/** How often an evaluation runs when the request does not say: goldens once, scenarios five times (EVAL-13). */
const DEFAULT_RUN_COUNT = { golden: 1, scenario: 5 };

/** Repeats of one evaluation in a run, at most. */
const MAX_RUN_COUNT = 100;

/** Results of one run, at most: a run is one long-running operation. */
const MAX_RESULTS = 10_000;

interface RunFacts {
  readonly runId: string;
  readonly ids: Ids;
  /** Who runs it; "" when unknown. */
  readonly author: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Plans a run: which evaluations, how often, against what. */
export function planRun(
  request: RunEvaluationRequest,
  evaluated: EvaluatedApp,
  snapshot: EvaluatedSnapshot,
  { runId, ids, author, now }: RunFacts,
): PlannedRun {
  const violations = [
    ...missingSubject(request),
    ...countViolations(request),
    ...personaViolations(request, evaluated.app),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  const evaluations = requestedEvaluations(request, evaluated);
  checkCount(request, evaluations);
  const name = `${request.app}/evaluationRuns/${runId}`;
  const createTime = timestampFromMs(Math.floor(now));
  const goldenRunMethod = goldenMethod(request, evaluated);
  const common = {
    createTime,
    initiatedBy: author,
    appVersion: request.appVersion,
    appVersionDisplayName: snapshot.displayName,
    goldenRunMethod,
  };
  const configs = new Map(evaluations.map((evaluation) => [evaluation, usedConfig(request, evaluation, evaluated)]));
  const results = evaluations.flatMap((evaluation) =>
    repeats(request, evaluation, evaluated).map((persona) =>
      create(EvaluationResultSchema, {
        name: `${evaluation.name}/results/${ids.uuid()}`,
        displayName: `${evaluation.displayName} result - ${new Date(now).toISOString()}`,
        evaluationRun: name,
        executionState: ExecutionState.QUEUED,
        ...common,
        ...definedFields({
          config: configs.get(evaluation),
          persona,
          evaluationMetricsThresholds:
            evaluation.evaluationMetricsThresholdOverride ?? evaluated.app.evaluationMetricsThresholds,
        }),
      }),
    ),
  );
  const run = create(EvaluationRunSchema, {
    name,
    displayName: request.displayName || defaultName(request, evaluations, evaluated, now),
    evaluations: evaluations.map((evaluation) => evaluation.name),
    evaluationDataset: request.evaluationDataset,
    evaluationResults: results.map((result) => result.name),
    evaluationType: typeOf(evaluations),
    state: RunState.QUEUED,
    progress: { totalCount: results.length },
    runCount: request.runCount ?? 0,
    personaRunConfigs: request.personaRunConfigs,
    scheduledEvaluationRun: request.scheduledEvaluationRun,
    continuedRun: request.continuedRun,
    ...common,
    config: sharedConfig([...configs.values()]),
    ...definedFields({
      optimizationConfig: request.optimizationConfig,
      // Empty until the run is complete: it says that a report is wanted.
      latencyReport: request.generateLatencyReport ? {} : undefined,
    }),
  });
  return { run, results };
}

function missingSubject({ evaluations, evaluationDataset }: RunEvaluationRequest): readonly FieldViolation[] {
  if (evaluations.length > 0 || evaluationDataset !== "") return [];
  return [
    { field: "evaluations", description: "Name evaluations, an evaluation_dataset, or both, or the continued_run." },
  ];
}

/** Repeats that no run can have, whatever the app has. */
export function countViolations({ runCount, personaRunConfigs }: RunEvaluationRequest): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const outside = (count: number, least: number) => count < least || count > MAX_RUN_COUNT;
  if (runCount !== undefined && outside(runCount, 1)) {
    violations.push({ field: "run_count", description: `Must be between 1 and ${MAX_RUN_COUNT}; it is ${runCount}.` });
  }
  for (const [at, { taskCount }] of personaRunConfigs.entries()) {
    if (!outside(taskCount, 0)) continue;
    const description = `Must be between 1 and ${MAX_RUN_COUNT}, or 0 for 1; it is ${taskCount}.`;
    violations.push({ field: `persona_run_configs[${at}].task_count`, description });
  }
  return violations;
}

/** Before there is a message for each of the results, which can be more than there is memory for. */
function checkCount(request: RunEvaluationRequest, evaluations: readonly Evaluation[]): void {
  const count = evaluations.reduce((sum, evaluation) => sum + repeatCount(request, evaluation), 0);
  if (count <= MAX_RESULTS) return;
  throw invalidArgument({
    field: "run_count",
    description: `The run would have ${count} results; at most ${MAX_RESULTS} are possible. Name fewer evaluations or repeats.`,
  });
}

function repeatCount({ runCount, personaRunConfigs }: RunEvaluationRequest, { inputs }: Evaluation): number {
  const kind = inputs.case === "scenario" ? "scenario" : "golden";
  if (kind === "scenario" && personaRunConfigs.length > 0)
    return personaRunConfigs.reduce((sum, { taskCount }) => sum + (taskCount || 1), 0);
  return runCount ?? DEFAULT_RUN_COUNT[kind];
}

/** The evaluations of the request and its dataset, each once, in order. */
function requestedEvaluations(request: RunEvaluationRequest, evaluated: EvaluatedApp): readonly Evaluation[] {
  const byName = new Map(evaluated.evaluations.map((evaluation) => [evaluation.name, evaluation]));
  const dataset = evaluated.evaluationDatasets.find(({ name }) => name === request.evaluationDataset);
  if (request.evaluationDataset !== "" && !dataset) {
    throw notFound(request.evaluationDataset, "ces.googleapis.com/EvaluationDataset");
  }
  if (dataset?.evaluations.length === 0 && request.evaluations.length === 0) {
    throw failedPrecondition(
      `Dataset '${dataset.displayName}' has no evaluations. Add some to it, or name evaluations in the request.`,
    );
  }
  const names = new Set([...request.evaluations, ...(dataset?.evaluations ?? [])]);
  return [...names].map((name) => {
    const evaluation = byName.get(name);
    if (!evaluation) throw notFound(name, "ces.googleapis.com/Evaluation");
    return evaluation;
  });
}

/** Personas that an app does not have. */
export function personaViolations({ personaRunConfigs }: RunEvaluationRequest, app: App): readonly FieldViolation[] {
  const known = app.evaluationPersonas.map(({ displayName }) => `'${displayName}'`).join(", ") || "none";
  return personaRunConfigs.flatMap(({ persona }, at) => {
    if (personaOf(persona, app)) return [];
    const description = `'${persona}' is not a persona of the app (App.evaluation_personas); it has ${known}.`;
    return [{ field: `persona_run_configs[${at}].persona`, description }];
  });
}

/** A persona by its name or display name. */
function personaOf(persona: string, { evaluationPersonas }: App): EvaluationPersona | undefined {
  return evaluationPersonas.find(({ name, displayName }) => name === persona || displayName === persona);
}

/** One entry for each time that an evaluation runs: the persona of the simulated user, or undefined. */
function repeats(
  request: RunEvaluationRequest,
  evaluation: Evaluation,
  { app }: EvaluatedApp,
): readonly (EvaluationPersona | undefined)[] {
  const withPersona = request.personaRunConfigs.flatMap(({ persona, taskCount }) =>
    Array.from({ length: taskCount || 1 }, () => personaOf(persona, app)),
  );
  if (evaluation.inputs.case === "scenario" && withPersona.length > 0) return withPersona;
  return Array.from({ length: repeatCount(request, evaluation) }, () => undefined);
}

/** How an evaluation runs: as the request says, else as the app's settings do for its kind, else by text and with real tools (EVAL-103). */
function usedConfig({ config }: RunEvaluationRequest, evaluation: Evaluation, { app }: EvaluatedApp): EvaluationConfig {
  const used = config ? clone(EvaluationConfigSchema, config) : create(EvaluationConfigSchema);
  used.evaluationChannel ||= Channel.TEXT;
  used.toolCallBehaviour ||= toolCallBehaviourOf(evaluation, app);
  return used;
}

/** The configuration of a run; how tools are called is open where that differs from evaluation to evaluation. */
function sharedConfig([first, ...rest]: readonly EvaluationConfig[]): EvaluationConfig {
  const shared = first ? clone(EvaluationConfigSchema, first) : create(EvaluationConfigSchema);
  if (rest.some(({ toolCallBehaviour }) => toolCallBehaviour !== shared.toolCallBehaviour))
    shared.toolCallBehaviour = ToolCallBehaviour.EVALUATION_TOOL_CALL_BEHAVIOUR_UNSPECIFIED;
  return shared;
}

function goldenMethod({ goldenRunMethod }: RunEvaluationRequest, { app }: EvaluatedApp): GoldenRunMethod {
  return goldenRunMethod || app.evaluationSettings?.goldenRunMethod || GoldenRunMethod.STABLE;
}

function typeOf(evaluations: readonly Evaluation[]): RunType {
  const kinds = new Set(evaluations.map(({ inputs }) => inputs.case));
  if (kinds.size > 1) return RunType.MIXED;
  return kinds.has("scenario") ? RunType.SCENARIO : RunType.GOLDEN;
}

/** The name of a run that was given none (EVAL-14). */
function defaultName(
  { evaluationDataset }: RunEvaluationRequest,
  evaluations: readonly Evaluation[],
  app: EvaluatedApp,
  now: number,
): string {
  const dataset = app.evaluationDatasets.find(({ name }) => name === evaluationDataset);
  return `${dataset?.displayName ?? titleOf(evaluations, app)} run - ${new Date(now).toISOString()}`;
}

/** One of thousands says nothing about the others. */
function titleOf(evaluations: readonly Evaluation[], app: EvaluatedApp): string {
  const [first, ...others] = evaluations;
  if (others.length === 0) return first?.displayName ?? "";
  return evaluations.length === app.evaluations.length ? "All evaluations" : `${evaluations.length} evaluations`;
}
