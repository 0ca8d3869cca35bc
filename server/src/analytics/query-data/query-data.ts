import { create } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import {
  type ExecutedQueryResult,
  ExecutedQueryResultSchema,
  type QueryDataRequest,
  type QueryDataResponse,
  QueryDataResponseSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import { failedPrecondition, invalidArgument, unimplemented } from "#status";
import { type DataSource, QueryError, type ResultSet, type SqlSource } from "#warehouse";
import type { TurnDeps } from "../chat/turn.ts";
import type { SemanticModel } from "../contract.ts";
import type { FailedAttempt, Plan, Planner, PlanRequest } from "../plan/planner.ts";
import { checkNumbers } from "../truth/check-numbers.ts";
import { refuseReferences, viewParameters } from "./query-references.ts";
import { queryColumns, queryRows } from "./query-rows.ts";

/** What answers one question without a conversation. */
export interface QueryDataDeps {
  readonly open: (references: DatasourceReferences, viewParameters: ViewParameters) => Promise<DataSource>;
  /** What is known of the data by a caller with these parameters, and by no other. */
  readonly modelOf: (
    source: SqlSource,
    context: Context,
    signal: AbortSignal,
    viewParameters: ViewParameters,
  ) => Promise<SemanticModel>;
  readonly plannerFor: () => Planner;
  readonly deps: TurnDeps;
  readonly signal: AbortSignal;
}

type ViewParameters = Readonly<Record<string, string>>;
type QueryPlan = Extract<Plan, { kind: "query" }>;

/** Rows of one answer (CA-23). */
const MOST_ROWS = 1000;

/** One question, one query, and what the options ask of it (CA-22). A failed run is part of the answer. */
export async function queryData(request: QueryDataRequest, own: QueryDataDeps): Promise<QueryDataResponse> {
  const source = await openSource(request, own);
  const planned = await plan(request, source, own);
  const { generationOptions: options } = request;
  if (planned.plan.kind !== "query")
    return notUnderstood(planned.plan, options?.generateDisambiguationQuestion ?? false);
  const response = create(QueryDataResponseSchema, { generatedQuery: planned.plan.sql });
  if (options?.generateExplanation) response.intentExplanation = planned.plan.reasoning;
  const runs = options?.generateQueryResult || options?.generateNaturalLanguageAnswer;
  if (!runs) return response;
  const result = await run(planned.plan, source, own);
  response.queryResult = toQueryResult(result);
  if (options.generateNaturalLanguageAnswer && !(result instanceof QueryError)) {
    response.naturalLanguageAnswer = await answer(planned.plan, result, planned.request, planned.planner);
  }
  return response;
}

async function openSource({ context }: QueryDataRequest, { open }: QueryDataDeps): Promise<SqlSource> {
  refuseReferences(context);
  if (!context?.datasourceReferences) {
    throw invalidArgument({ field: "context.datasource_references", description: "Required field is not set." });
  }
  const source = await open(context.datasourceReferences, viewParameters(context));
  if (source.kind === "sql") return source;
  throw unimplemented("QueryData for Looker explores");
}

/** A statement that the gate and the engine take; they are asked before it is handed out. */
async function plan(
  { prompt, context }: QueryDataRequest,
  source: SqlSource,
  { modelOf, plannerFor, deps, signal }: QueryDataDeps,
) {
  const references = context?.datasourceReferences;
  const model = await modelOf(
    source,
    create(ContextSchema, references && { datasourceReferences: references }),
    signal,
    viewParameters(context),
  );
  const planner = plannerFor();
  const now = new Date(deps.clock.now());
  const request: PlanRequest = { question: prompt, past: [], model, examples: [], analysisAllowed: false, now, signal };
  const failed: FailedAttempt[] = [];
  for (;;) {
    const next = await planner.plan(request, failed);
    if (next.kind !== "query") return { plan: next, planner, request };
    const check = await source.check(next.sql, [], signal);
    if (check.kind === "accepted" || failed.length >= deps.limits.repairs) return { plan: next, planner, request };
    failed.push({ sql: next.sql, error: check.kind === "rejected" ? check.reason : check.error });
  }
}

/** Asking back is for those who allow it; others get a refusal that says what could be asked. */
function notUnderstood(plan: Exclude<Plan, { kind: "query" }>, mayAskBack: boolean): QueryDataResponse {
  const text = plan.kind === "reply" ? plan.text : "A query is needed before anything can be drawn. Ask for data.";
  if (mayAskBack) return create(QueryDataResponseSchema, { disambiguationQuestion: [text] });
  throw failedPrecondition(`No query could be made of the prompt. ${text}`, { reason: "PROMPT_NOT_UNDERSTOOD" });
}

async function run(
  { sql }: QueryPlan,
  source: SqlSource,
  { deps, signal }: QueryDataDeps,
): Promise<ResultSet | QueryError> {
  const { maxBytes, queryMs } = deps.limits;
  try {
    return await source.query({ sql, limits: { maxRows: MOST_ROWS, maxBytes, timeoutMs: queryMs }, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) return error;
    throw error;
  }
}

function toQueryResult(result: ResultSet | QueryError): ExecutedQueryResult {
  if (result instanceof QueryError) return create(ExecutedQueryResultSchema, { queryExecutionError: result.message });
  return create(ExecutedQueryResultSchema, {
    columns: queryColumns(result),
    rows: queryRows(result),
    // How many a cut result would have had is not known, and a guess would pass for a count.
    totalRowCount: result.truncated ? 0n : BigInt(result.rows.length),
    partialResult: result.truncated,
  });
}

async function answer(plan: QueryPlan, result: ResultSet, request: PlanRequest, planner: Planner): Promise<string> {
  const { text } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
  const checked = checkNumbers(text, [result], [request.question, plan.sql, plan.reasoning]);
  return checked.text || "The rows are the answer.";
}
