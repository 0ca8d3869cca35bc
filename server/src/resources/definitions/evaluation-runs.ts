import { clone, type Message } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  EvaluationResult_ExecutionState,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  type ScheduledEvaluationRun,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { type ListEvaluationsRequest, ListEvaluationsRequestSchema } from "@frontdesk/protos/ces/evaluation_service";
import { resourceTypeOf, shallowCopy } from "#aip";
import { mapWithPauses } from "#base";
import type { FieldViolation } from "#status";
import { defineResource, type ListOrder, type ReadContext } from "../define-resource.ts";
import { fromRow, type Resource } from "../resource.ts";
import { appOf } from "../resource-names.ts";

/** The order of evaluation lists: newest change first, times descending unless `asc` is given (ListEvaluationsRequest.order_by). */
export const EVALUATION_ORDER: ListOrder = {
  fields: ["name", "create_time", "update_time"],
  descendingByDefault: ["create_time", "update_time"],
  fallback: "update_time",
};

/** Runs and results: written by the server. A run is deleted with its results. */
export const evaluationRuns = defineResource(EvaluationRunSchema, "log", {
  order: EVALUATION_ORDER,
  cascade: ({ evaluationResults }) => evaluationResults,
});
export const evaluationResults = defineResource(EvaluationResultSchema, "log", {
  order: EVALUATION_ORDER,
  filterNames: { evaluation_run: resultsOfRun },
});

/** A run has the names of its results, imported ones too: an app may have a hundred runs with thousands each. */
async function resultsOfRun(run: string, { store }: ReadContext): Promise<readonly string[] | undefined> {
  const row = await store.get(run);
  if (!row || row.type !== resourceTypeOf(EvaluationRunSchema)?.type) return undefined;
  return (fromRow(EvaluationRunSchema, row) as unknown as EvaluationRun).evaluationResults;
}

/** Schedules of evaluation runs. */
export const scheduledEvaluationRuns = defineResource(ScheduledEvaluationRunSchema, "app", {
  normalize: (scheduled, app) => {
    const copy = clone(ScheduledEvaluationRunSchema, scheduled);
    if (copy.request?.app === "") copy.request.app = app;
    return copy;
  },
  validate: scheduleViolations,
  order: {
    fields: ["name", "create_time", "update_time", "next_scheduled_execution", "last_completed_run.create_time"],
    descendingByDefault: ["create_time", "update_time", "last_completed_run.create_time"],
    fallback: "update_time",
    keys: {
      next_scheduled_execution: async (resources) =>
        (resources as readonly ScheduledEvaluationRun[]).map(({ nextScheduledExecutionTime }) =>
          Number(nextScheduledExecutionTime?.seconds ?? 0),
        ),
      "last_completed_run.create_time": lastRunTimes,
    },
  },
});

function scheduleViolations({ schedulingConfig, request }: ScheduledEvaluationRun): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const { frequency, daysOfWeek = [] } = schedulingConfig ?? {};
  for (const [index, day] of daysOfWeek.entries()) {
    if (day >= 1 && day <= 7) continue;
    violations.push({
      field: `scheduling_config.days_of_week[${index}]`,
      description: "A day is between 1 (Monday) and 7 (Sunday).",
    });
  }
  if (daysOfWeek.length > 0 && frequency !== Frequency.WEEKLY && frequency !== Frequency.BIWEEKLY) {
    violations.push({
      field: "scheduling_config.days_of_week",
      description: "Days can only be given for WEEKLY and BIWEEKLY.",
    });
  }
  if (request && request.evaluations.length === 0 && request.evaluationDataset === "") {
    violations.push({ field: "request", description: "Name evaluations, an evaluation_dataset, or both." });
  }
  return violations;
}

async function lastRunTimes(resources: readonly Resource[], { store }: ReadContext): Promise<readonly number[]> {
  const names = (resources as readonly ScheduledEvaluationRun[]).map(({ lastCompletedRun }) => lastCompletedRun);
  const rows = await store.getMany(names.filter((name) => name !== ""));
  return names.map((name) => rows.get(name)?.createTime ?? 0);
}

/** Results of an evaluation in responses, at most (Evaluation.last_ten_results). */
const LAST_RESULTS = 10;

/** Evaluations with their runs, the latest completed result, and on request the last ten results. */
export async function presentEvaluations(
  evaluations: readonly Evaluation[],
  context: ReadContext,
  request: Message,
): Promise<readonly Evaluation[]> {
  const [first] = evaluations;
  if (!first) return [];
  const runs = runsByEvaluation(await runsOf(appOf(first.name) ?? "", context));
  const includeResults = isListRequest(request) && request.lastTenResults;
  return mapWithPauses(evaluations, (evaluation) => present(evaluation, runs, includeResults, context));
}

/** Names of runs by the evaluations that they run. */
function runsByEvaluation(runs: readonly EvaluationRun[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, evaluations } of runs)
    for (const evaluation of new Set(evaluations)) {
      const names = found.get(evaluation);
      if (names) names.push(name);
      else found.set(evaluation, [name]);
    }
  return found;
}

/** All evaluation runs of an app. */
export async function runsOf(app: string, { store }: ReadContext): Promise<readonly EvaluationRun[]> {
  const rows = await store.children(app, [resourceTypeOf(EvaluationRunSchema)?.type ?? ""]);
  return mapWithPauses(rows, (row) => fromRow(EvaluationRunSchema, row) as unknown as EvaluationRun);
}

async function present(
  evaluation: Evaluation,
  runs: ReadonlyMap<string, readonly string[]>,
  includeResults: boolean,
  context: ReadContext,
): Promise<Evaluation> {
  const results = await lastResults(evaluation.name, includeResults, context);
  const copy = shallowCopy(evaluation);
  copy.evaluationRuns = [...(runs.get(evaluation.name) ?? [])];
  const completed = results.find(isCompleted);
  if (completed) copy.lastCompletedResult = completed;
  if (includeResults) copy.lastTenResults = [...results];
  return copy;
}

/** The last results. Where not all ten are asked for, the newest alone, if it is completed: a result is long, and a list has a thousand evaluations. */
async function lastResults(
  evaluation: string,
  allTen: boolean,
  { store }: ReadContext,
): Promise<readonly EvaluationResult[]> {
  const type = resourceTypeOf(EvaluationResultSchema)?.type ?? "";
  const newest = async (limit: number) => {
    const page = await store.list({ type, parent: evaluation, orderBy: "create_time", descending: true, limit });
    return page.rows.map((row) => fromRow(EvaluationResultSchema, row) as unknown as EvaluationResult);
  };
  if (allTen) return newest(LAST_RESULTS);
  const last = await newest(1);
  return last.every(isCompleted) ? last : newest(LAST_RESULTS);
}

function isCompleted({ executionState }: EvaluationResult): boolean {
  return executionState === EvaluationResult_ExecutionState.COMPLETED;
}

function isListRequest(request: Message): request is ListEvaluationsRequest {
  return request.$typeName === ListEvaluationsRequestSchema.typeName;
}
