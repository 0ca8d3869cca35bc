import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DataMessageSchema, Message } from "@frontdesk/protos/gda/data_chat_service";
import { QueryError, type QueryParameter, type ResultSet, rowTooLarge } from "#warehouse";
import type { FailedAttempt, NamedResult, Plan } from "../plan/planner.ts";
import { shownRows, toBigQueryJob, toDataResult, toDatasources } from "./data-result.ts";
import { queryOrigin } from "./query-origin.ts";
import { readableError } from "./readable-error.ts";
import type { Stage, Turn } from "./turn.ts";
import { askFor, notRun, openParameters, verifiedParameters, verifiedPlan } from "./verified-plan.ts";

type DataKind = NonNullable<MessageInitShape<typeof DataMessageSchema>["kind"]>;

/** What came of a question: rows with the plan that found them, or a plan that needs none. */
type Queried =
  | { readonly kind: "found"; readonly plan: Extract<Plan, { kind: "query" }>; readonly result: NamedResult }
  | { readonly kind: "other"; readonly plan: Exclude<Plan, { kind: "query" }> }
  | { readonly kind: "gave-up"; readonly error: string };

/** Plans a statement, checks it and runs it. Errors of the statement check and the engine go back to the planner for a few repairs. */
export async function* queryStage(turn: Turn): Stage<Queried> {
  const { planner, request, deps } = turn;
  const repairs = request.mode === "fast" ? Math.min(1, deps.limits.repairs) : deps.limits.repairs;
  const failed: FailedAttempt[] = [];
  let shownWarning: string | undefined;
  let empty: Empty | undefined;
  for (;;) {
    const authored = failed.length === 0 && turn.match !== undefined;
    const open = authored ? openParameters(turn) : [];
    if (open.length > 0) return { kind: "other", plan: { kind: "reply", text: askFor(open), followUps: [] } };
    turn.write.setActivity("Writing the query");
    const plan = authored ? verifiedPlan(turn) : await planner.plan(turn.plan, failed);
    if (planner.warning && planner.warning !== shownWarning) {
      shownWarning = planner.warning;
      yield turn.write.error(shownWarning);
    }
    if (plan.kind === "query" && empty?.sql === plan.sql) return yield* emptyResult(turn, plan, empty);
    if (plan.kind !== "query" && empty) return yield* emptyResult(turn, empty.plan, empty);
    if (plan.kind !== "query") return failed.length > 0 ? gaveUp(failed, plan) : { kind: "other", plan };
    turn.write.nextGroup();
    const parameters = verifiedParameters(turn, plan);
    if (request.mode === "thinking" && plan.reasoning) yield thought(turn, plan.reasoning);
    yield* describeQuery(turn, plan, failed.length === 0);
    turn.write.setActivity("Running the query");
    const outcome = await run(turn, plan, authored, parameters);
    if (!(outcome instanceof QueryError)) {
      if (!authored && planner.retriesEmptyResults && !empty && isEmpty(outcome.result)) {
        empty = { ...outcome, plan };
        yield turn.write.error("Nothing was found; the statement is looked at once more.");
        failed.push({ sql: plan.sql, error: NOTHING_FOUND });
        continue;
      }
      if (outcome.result.job) yield data(turn, toBigQueryJob(outcome.result.job, outcome.result.columns));
      yield data(turn, toDataResult(outcome.name, outcome.result));
      return { kind: "found", plan, result: outcome };
    }
    yield turn.write.error(readableError(outcome));
    failed.push({ sql: plan.sql, error: outcome.message });
    if (authored) turn.notes.push(notRun(turn, readableError(outcome)));
    if (isFinal(outcome) || failed.length > repairs) return { kind: "gave-up", error: readableError(outcome) };
  }
}

/** A statement that ran and found nothing. */
interface Empty extends NamedResult {
  readonly plan: Extract<Plan, { kind: "query" }>;
}

const NOTHING_FOUND =
  "the query ran but found no rows, or only NULL. Check whether a literal, a join or a period is wrong. If the statement is right, answer with the same one.";

function isEmpty({ rows }: ResultSet): boolean {
  return rows.every((row) => row.every((cell) => cell === null));
}

/** The planner confirmed the statement, so the empty result is the answer. */
function* emptyResult(turn: Turn, plan: Extract<Plan, { kind: "query" }>, empty: Empty): Generator<Message, Queried> {
  yield data(turn, toDataResult(empty.name, empty.result));
  return { kind: "found", plan, result: { name: empty.name, sql: empty.sql, result: empty.result } };
}

function* describeQuery(turn: Turn, plan: Extract<Plan, { kind: "query" }>, first: boolean) {
  const { model, match, request } = turn;
  if (first && match?.query.example) {
    const queryParameterValues = match.values.map(({ name, value }) => ({ name, value }));
    yield data(turn, { case: "matchedQuery", value: { exampleQuery: match.query.example, queryParameterValues } });
  }
  const datasources = toDatasources(model, request.context);
  const { question } = turn.history;
  const query = { question, name: plan.name, datasources, ...queryOrigin(plan, turn.plan.defined) };
  yield data(turn, { case: "query", value: query });
  yield data(turn, { case: "generatedSql", value: plan.sql });
}

/** Runs the statement with the limits of the turn. */
async function run(
  { source, request, deps }: Turn,
  { name, sql }: Extract<Plan, { kind: "query" }>,
  authored: boolean,
  parameters: readonly QueryParameter[],
): Promise<NamedResult | QueryError> {
  const { maxRows, maxBytes, queryMs } = deps.limits;
  const billed = request.context.options?.datasource?.bigQueryMaxBilledBytes;
  const limits = {
    maxRows,
    maxBytes,
    timeoutMs: queryMs,
    ...(billed !== undefined && { maxScannedBytes: Number(billed) }),
  };
  try {
    const result = await source.query({ sql, authored, parameters, limits, signal: request.signal });
    const shown = shownRows(result);
    if (result.rows.length > 0 && shown.rows.length === 0) return rowTooLarge(maxBytes);
    return { name, sql, result: shown };
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Another statement does not help against missing rights, an unpayable query, or one that takes too long. */
function isFinal({ kind }: QueryError): boolean {
  return kind === "permission" || kind === "too-expensive" || kind === "timeout" || kind === "cancelled";
}

function gaveUp(failed: readonly FailedAttempt[], plan: Exclude<Plan, { kind: "query" }>): Queried {
  const message = failed.at(-1)?.error ?? "";
  const readable = readableError({ kind: "invalid", message });
  const error = plan.kind === "reply" && plan.text ? plan.text.replace(message || readable, () => readable) : readable;
  return { kind: "gave-up", error };
}

function thought(turn: Turn, text: string) {
  return turn.write.text(2, ["Planning the query", text]);
}

function data(turn: Turn, kind: DataKind) {
  return turn.write.message({ case: "data", value: { kind } });
}
