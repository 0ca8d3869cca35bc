import { clone, type Message } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  EvaluationResult_ExecutionState,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import { type ListEvaluationsRequest, ListEvaluationsRequestSchema } from "@frontdesk/protos/ces/evaluation_service";
import { resourceTypeOf } from "#aip";
import { appOf } from "../app-name.ts";
import type { ReadContext } from "../read/read-context.ts";
import { fromRow } from "../resource.ts";

/** Results that an evaluation shows at most (Evaluation.last_ten_results). */
const LAST_RESULTS = 10;

/** Evaluations with what their runs left behind: associated runs, the latest completed result, and on request the last ten results. */
export async function presentEvaluations(
  evaluations: readonly Evaluation[],
  context: ReadContext,
  request: Message,
): Promise<readonly Evaluation[]> {
  const [first] = evaluations;
  if (!first) return [];
  const runs = await runsOf(appOf(first.name) ?? "", context);
  const wantsResults = isListRequest(request) && request.lastTenResults;
  return Promise.all(evaluations.map((evaluation) => present(evaluation, runs, wantsResults, context)));
}

/** All evaluation runs of an app. */
export async function runsOf(app: string, { store }: ReadContext): Promise<readonly EvaluationRun[]> {
  const rows = await store.children(app, [resourceTypeOf(EvaluationRunSchema)?.type ?? ""]);
  return rows.map((row) => fromRow(EvaluationRunSchema, row) as unknown as EvaluationRun);
}

async function present(
  evaluation: Evaluation,
  runs: readonly EvaluationRun[],
  wantsResults: boolean,
  context: ReadContext,
): Promise<Evaluation> {
  const results = await lastResults(evaluation.name, context);
  const copy = clone(EvaluationSchema, evaluation);
  copy.evaluationRuns = runs.filter(({ evaluations }) => evaluations.includes(evaluation.name)).map(({ name }) => name);
  const completed = results.find(({ executionState }) => executionState === EvaluationResult_ExecutionState.COMPLETED);
  if (completed) copy.lastCompletedResult = completed;
  if (wantsResults) copy.lastTenResults = [...results];
  return copy;
}

async function lastResults(evaluation: string, { store }: ReadContext): Promise<readonly EvaluationResult[]> {
  const type = resourceTypeOf(EvaluationResultSchema)?.type ?? "";
  const page = await store.list({
    type,
    parent: evaluation,
    orderBy: "create_time",
    descending: true,
    limit: LAST_RESULTS,
  });
  return page.rows.map((row) => fromRow(EvaluationResultSchema, row) as unknown as EvaluationResult);
}

function isListRequest(request: Message): request is ListEvaluationsRequest {
  return request.$typeName === ListEvaluationsRequestSchema.typeName;
}
