import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import {
  type ExecutedQueryResult,
  type ExecutedQueryResult_ColumnSchema,
  type ExecutedQueryResult_RowSchema,
  ExecutedQueryResultSchema,
  type QueryDataRequest,
  type QueryDataResponse,
  QueryDataResponseSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import { textOrJson } from "#base";
import { failedPrecondition, invalidArgument, unsupported } from "#status";
import { type DataSource, QueryError, type ResultSet, type SqlSource } from "#warehouse";
import type { TurnDeps } from "../chat/turn.ts";
import type { SemanticModel } from "../contract.ts";
import type { FailedAttempt, Plan, Planner, PlanRequest } from "../plan/planner.ts";
import { relevantModel } from "../retrieval/relevant-model.ts";
import { verifyNumbers } from "../verification/verify-numbers.ts";
import { rejectContextSets, viewParameters } from "./query-references.ts";

/** What QueryData needs of the analytics. */
interface QueryDataDeps {
  readonly open: (references: DatasourceReferences, viewParameters: ViewParameters) => Promise<DataSource>;
  /** The semantic model for these view parameters, and for no others. */
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

/** Maximum rows of an answer (CA-23). */
const MAX_ROWS = 1000;

/** Answers one question with one query, and what the options request (CA-22). A failed query is part of the response. */
export async function queryData(request: QueryDataRequest, own: QueryDataDeps): Promise<QueryDataResponse> {
  const source = await openSource(request, own);
  const planned = await plan(request, source, own);
  const { generationOptions: options } = request;
  if (planned.plan.kind !== "query")
    return disambiguate(planned.plan, options?.generateDisambiguationQuestion ?? false);
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
  rejectContextSets(context);
  if (!context?.datasourceReferences) {
    throw invalidArgument({ field: "context.datasource_references", description: "Required field is not set." });
  }
  const source = await open(context.datasourceReferences, viewParameters(context));
  if (source.kind === "sql") return source;
  throw unsupported(
    "QueryData takes no Looker explores, because it answers with SQL and Looker runs none of ours. Ask the explores with Chat instead.",
  );
}

/** Plans a statement, and repairs it until the statement check and the engine accept it. */
async function plan(
  { prompt, context }: QueryDataRequest,
  source: SqlSource,
  { modelOf, plannerFor, deps, signal }: QueryDataDeps,
) {
  const references = context?.datasourceReferences;
  const whole = await modelOf(
    source,
    create(ContextSchema, references && { datasourceReferences: references }),
    signal,
    viewParameters(context),
  );
  const model = relevantModel(whole, { question: prompt, earlier: [], statements: [] });
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

/** A question back where the options allow one; else FAILED_PRECONDITION with the text of the planner. */
function disambiguate(plan: Exclude<Plan, { kind: "query" }>, allowed: boolean): QueryDataResponse {
  const text = plan.kind === "reply" ? plan.text : "A query is needed before anything can be drawn. Ask for data.";
  if (allowed) return create(QueryDataResponseSchema, { disambiguationQuestion: [text] });
  throw failedPrecondition(`No query could be made of the prompt. ${text}`, { reason: "PROMPT_NOT_UNDERSTOOD" });
}

async function run(
  { sql }: QueryPlan,
  source: SqlSource,
  { deps, signal }: QueryDataDeps,
): Promise<ResultSet | QueryError> {
  const { maxBytes, queryMs } = deps.limits;
  try {
    return await source.query({ sql, limits: { maxRows: MAX_ROWS, maxBytes, timeoutMs: queryMs }, signal });
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
    // The row count of a truncated result is not known.
    totalRowCount: result.truncated ? 0n : BigInt(result.rows.length),
    partialResult: result.truncated,
    ...(result.cachedAt !== undefined && { cachedTime: timestampFromMs(Math.floor(result.cachedAt)) }),
  });
}

async function answer(plan: QueryPlan, result: ResultSet, request: PlanRequest, planner: Planner): Promise<string> {
  const { text } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
  const checked = verifyNumbers(text, [result], [request.question, plan.sql, plan.reasoning]);
  return checked.text || "The rows are the answer.";
}

/** Columns in the form of QueryData. */
function queryColumns({ columns }: ResultSet): MessageInitShape<typeof ExecutedQueryResult_ColumnSchema>[] {
  return columns.map(({ name, type, mode }) => ({ name, type: mode === "REPEATED" ? `ARRAY<${type}>` : type }));
}

/** Rows in the form of QueryData: NULL is an empty value, lists and structs are JSON. */
function queryRows({ rows }: ResultSet): MessageInitShape<typeof ExecutedQueryResult_RowSchema>[] {
  return rows.map((row) => ({ values: row.map((cell) => (cell === null ? {} : { value: textOrJson(cell) })) }));
}
