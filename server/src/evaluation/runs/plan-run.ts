import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Evaluation,
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  type RunEvaluationRequest,
  EvaluationRun_EvaluationRunState as RunState,
  EvaluationRun_EvaluationType as RunType,
} from "@frontdesk/protos/ces/evaluation";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import { definedFields, type Ids } from "#base";
import { type FieldViolation, failedPrecondition, invalidArgument, notFound } from "#status";
import type { EvaluatedApp, EvaluatedSnapshot } from "../contract.ts";

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
  checkOptions(request);
  const evaluations = requestedEvaluations(request, evaluated);
  const name = `${request.app}/evaluationRuns/${runId}`;
  const createTime = timestampFromMs(Math.floor(now));
  const goldenRunMethod = goldenMethod(request, evaluated);
  const common = {
    createTime,
    initiatedBy: author,
    appVersion: request.appVersion,
    appVersionDisplayName: snapshot.displayName,
    goldenRunMethod,
    ...definedFields({ config: request.config }),
  };
  const results = evaluations.flatMap((evaluation) =>
    repeats(request, evaluation, evaluated).map((persona) =>
      create(EvaluationResultSchema, {
        name: `${evaluation.name}/results/${ids.uuid()}`,
        displayName: `${evaluation.displayName} result - ${new Date(now).toISOString()}`,
        evaluationRun: name,
        executionState: ExecutionState.QUEUED,
        ...common,
        ...definedFields({
          persona,
          evaluationMetricsThresholds:
            evaluation.evaluationMetricsThresholdOverride ?? evaluated.app.evaluationMetricsThresholds,
        }),
      }),
    ),
  );
  if (results.length > MAX_RESULTS) {
    throw invalidArgument({
      field: "run_count",
      description: `The run would have ${results.length} results; at most ${MAX_RESULTS} are possible. Name fewer evaluations or repeats.`,
    });
  }
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
    ...common,
    ...definedFields({
      optimizationConfig: request.optimizationConfig,
      // Empty until the run is complete: it says that a report is wanted.
      latencyReport: request.generateLatencyReport ? {} : undefined,
    }),
  });
  return { run, results };
}

function checkOptions({ evaluations, evaluationDataset, runCount }: RunEvaluationRequest): void {
  const violations: FieldViolation[] = [];
  if (evaluations.length === 0 && evaluationDataset === "") {
    violations.push({ field: "evaluations", description: "Name evaluations, an evaluation_dataset, or both." });
  }
  if (runCount !== undefined && (runCount < 1 || runCount > MAX_RUN_COUNT)) {
    violations.push({ field: "run_count", description: `Must be between 1 and ${MAX_RUN_COUNT}; it is ${runCount}.` });
  }
  if (violations.length > 0) throw invalidArgument(violations);
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

/** One entry for each time that an evaluation runs: the persona of the simulated user, or undefined. */
function repeats(
  { runCount, personaRunConfigs }: RunEvaluationRequest,
  { inputs }: Evaluation,
  { app }: EvaluatedApp,
): readonly (EvaluatedApp["app"]["evaluationPersonas"][number] | undefined)[] {
  const kind = inputs.case === "scenario" ? "scenario" : "golden";
  const withPersona = personaRunConfigs.flatMap(({ persona, taskCount }) => {
    const found = app.evaluationPersonas.find(({ name, displayName }) => name === persona || displayName === persona);
    if (!found) {
      throw invalidArgument({
        field: "persona_run_configs.persona",
        description: `'${persona}' is not a persona of the app. Its personas are in App.evaluation_personas.`,
      });
    }
    return Array.from({ length: taskCount || 1 }, () => found);
  });
  if (kind === "scenario" && withPersona.length > 0) return withPersona;
  return Array.from({ length: runCount ?? DEFAULT_RUN_COUNT[kind] }, () => undefined);
}

function goldenMethod({ goldenRunMethod }: RunEvaluationRequest, { app }: EvaluatedApp): GoldenRunMethod {
  return goldenRunMethod || app.evaluationSettings?.goldenRunMethod || GoldenRunMethod.STABLE;
}

function typeOf(evaluations: readonly Evaluation[]): RunType {
  const kinds = new Set(evaluations.map(({ inputs }) => inputs.case));
  if (kinds.size > 1) return RunType.MIXED;
  return kinds.has("scenario") ? RunType.SCENARIO : RunType.GOLDEN;
}

/** The hosted product's name of a run that was given none (EVAL-14). */
function defaultName(
  { evaluationDataset }: RunEvaluationRequest,
  [first]: readonly Evaluation[],
  { evaluationDatasets }: EvaluatedApp,
  now: number,
): string {
  const dataset = evaluationDatasets.find(({ name }) => name === evaluationDataset);
  return `${dataset?.displayName ?? first?.displayName ?? ""} run - ${new Date(now).toISOString()}`;
}
