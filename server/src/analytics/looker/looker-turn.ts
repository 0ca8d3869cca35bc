import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import { type Explore, type LookerResult, type LookerSource, QueryError } from "#warehouse";
import { type AnalysisTurn, analysisStage } from "../chat/analysis-stage.ts";
import { chartStage } from "../chat/chart-stage.ts";
import { citationOf } from "../chat/citations.ts";
import { fromDataResult } from "../chat/data-result.ts";
import type { History } from "../chat/history.ts";
import { type MessageWriter, TextType } from "../chat/message-writer.ts";
import { redrawStage } from "../chat/redraw-stage.ts";
import type { Stage, TurnDeps } from "../chat/turn.ts";
import { matchQuery } from "../context/example-queries.ts";
import type { ChatRequest } from "../contract.ts";
import { verifyNumbers } from "../verification/verify-numbers.ts";
import { goldenQueries } from "./author-metadata.ts";
import type { FailedQuery, LookerPlan, LookerPlanner, LookerPlanRequest, LookerQueryPlan } from "./looker-planner.ts";
import { exploreDatasource, lookerDataResult } from "./to-datasource.ts";
import { findExplore, validateQuery, withAlwaysFilters } from "./validate-query.ts";

/** The state of one question to explores. */
interface LookerTurn {
  readonly request: ChatRequest;
  readonly history: History;
  readonly source: LookerSource;
  readonly explores: readonly Explore[];
  readonly planner: LookerPlanner;
  /** The warning for the user while the rules answer in place of the planner. */
  readonly warning: () => string | undefined;
  readonly write: MessageWriter;
  readonly deps: TurnDeps;
}

/** Runs a turn: schema, query, rows, chart, answer. */
export async function* lookerTurn(turn: LookerTurn): Stage<void> {
  const { write, explores, history } = turn;
  yield write.message({ case: "schema", value: { kind: { case: "query", value: { question: history.question } } } });
  const datasources = explores.map(exploreDatasource);
  yield write.message({ case: "schema", value: { kind: { case: "result", value: { datasources } } } });
  yield write.text(TextType.PROGRESS, ["Writing the query"]);
  const request = planRequest(turn);
  const queried = yield* findRows(turn, request);
  if (queried.kind === "reply") return yield* reply(turn, request, queried);
  if (queried.kind === "gave-up") {
    yield write.text(TextType.FINAL_RESPONSE, [`I could not answer this from the data. ${queried.error}`]);
    return;
  }
  if (queried.kind === "redraw") return yield* redrawStage(withAnalysis(turn, request), queried);
  const { plan, result } = queried;
  const rows = { name: plan.name, sql: "", result };
  const finding = plan.analysis ? yield* analysisStage(withAnalysis(turn, request), plan.analysis, [rows]) : "";
  if (plan.chart) yield* chartStage(turn, rows, plan.chart);
  write.nextGroup();
  yield* answer(turn, request, plan, result, finding);
}

function withAnalysis(turn: LookerTurn, request: LookerPlanRequest): AnalysisTurn {
  return { ...turn, writeProgram: (...program) => turn.planner.writeAnalysis(request, ...program) };
}

function planRequest({ request, history, explores, deps }: LookerTurn): LookerPlanRequest {
  const { context, signal } = request;
  const golden = goldenQueries(context).filter(({ query }) => !validateQuery(query, explores));
  const analysisAllowed = context.options?.analysis?.python?.enabled ?? false;
  const now = new Date(deps.clock.now());
  const { question, past } = history;
  return { question, past, explores, instruction: context.systemInstruction, golden, analysisAllowed, now, signal };
}

type Queried =
  | { readonly kind: "found"; readonly plan: LookerQueryPlan; readonly result: LookerResult }
  | { readonly kind: "gave-up"; readonly error: string }
  | Exclude<LookerPlan, { kind: "query" }>;

/** Plans a query, validates it against the explores and runs it. Errors go back to the planner for a few repairs. */
async function* findRows(turn: LookerTurn, planned: LookerPlanRequest): Stage<Queried> {
  const { planner, request, deps, write, explores } = turn;
  const repairs = request.mode === "fast" ? Math.min(1, deps.limits.repairs) : deps.limits.repairs;
  const failed: FailedQuery[] = [];
  let shownWarning: string | undefined;
  for (;;) {
    write.setActivity("Writing the query");
    const plan = (failed.length === 0 && goldenPlan(planned)) || (await planner.plan(planned, failed));
    const warning = turn.warning();
    if (warning && warning !== shownWarning) {
      shownWarning = warning;
      yield write.error(warning);
    }
    if (plan.kind !== "query") {
      const said = plan.kind === "reply" ? plan.text : "";
      return failed.length > 0 ? { kind: "gave-up", error: said || (failed.at(-1)?.error ?? "") } : plan;
    }
    const fault = validateQuery(plan.query, explores);
    const outcome = fault === undefined ? yield* run(turn, plan) : new QueryError("invalid", fault);
    if (!(outcome instanceof QueryError)) return { kind: "found", ...outcome };
    yield write.error(outcome.message);
    failed.push({ query: plan.query, error: outcome.message });
    if (isFinal(outcome) || failed.length > repairs) return { kind: "gave-up", error: outcome.message };
  }
}

function goldenPlan({ question, golden }: LookerPlanRequest): LookerQueryPlan | undefined {
  const found = golden.find((one) => matchQuery(question, [{ question: one.question, sql: "" }])?.values.length === 0);
  if (!found) return undefined;
  const reasoning = `The question matches a verified query of ${found.query.explore}.`;
  return { kind: "query", name: "verified_query", query: found.query, reasoning, chart: {} };
}

/** Stores the query in Looker before it runs, so that its message has the id and the slug. */
async function* run(
  { source, request, history, explores, deps, write }: LookerTurn,
  plan: LookerQueryPlan,
): Stage<{ readonly plan: LookerQueryPlan; readonly result: LookerResult } | QueryError> {
  const explore = findExplore(plan.query, explores);
  if (!explore) return new QueryError("invalid", "there is no such explore");
  const { maxRows, maxBytes, queryMs: timeoutMs } = deps.limits;
  const { signal } = request;
  try {
    write.nextGroup();
    if (request.mode === "thinking") yield write.text(TextType.THOUGHT, ["Planning the query", plan.reasoning]);
    const query = await source.save(withAlwaysFilters(plan.query, explore), signal);
    const { question } = history;
    const datasources = [exploreDatasource(explore)];
    const queryType = { case: "looker" as const, value: query };
    const description = { question, name: plan.name, datasources, queryType };
    yield write.message({ case: "data", value: { kind: { case: "query", value: description } } });
    write.setActivity("Running the query");
    const result = await source.query(query, explore.fields, { maxRows, maxBytes, timeoutMs }, signal);
    yield write.message({ case: "data", value: { kind: lookerDataResult(plan.name, result, explore) } });
    return { plan: { ...plan, query }, result };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) return error;
    throw error;
  }
}

function isFinal({ kind }: QueryError): boolean {
  return kind === "permission" || kind === "timeout" || kind === "cancelled";
}

/** A reply without a query. Numbers of a language model must be in earlier results, in the question or in the explores. */
function* reply(
  { write, history, planner, warning }: LookerTurn,
  { explores, past, instruction }: LookerPlanRequest,
  { text, followUps }: Extract<LookerPlan, { kind: "reply" }>,
): Generator<Message> {
  const known = [
    history.question,
    instruction,
    ...past.flatMap(({ question, answer: before }) => [question, before]),
    ...explores.flatMap(({ description, fields }) => [description, ...fields.map(({ label }) => label)]),
  ];
  const checked = planner.verifiesAnswers
    ? verifyNumbers(text, history.results.map(fromDataResult), known)
    : { text, removed: [] };
  if (checked.removed.length > 0) {
    yield write.error(`Left out of the answer, because no query found these numbers: ${checked.removed.join(" ")}`);
  }
  const rest = checked.text || "The answer was withheld, because no query found its numbers. Please ask for the data.";
  yield write.text(TextType.FINAL_RESPONSE, [withWarning(rest, warning())]);
  if (followUps.length > 0) yield write.text(TextType.FOLLOWUP_QUESTIONS, followUps);
}

/** The answer in words. Its numbers must be in the rows, plain or formatted by Looker. */
async function* answer(
  { write, planner, request, history, deps, warning }: LookerTurn,
  planned: LookerPlanRequest,
  plan: LookerQueryPlan,
  result: LookerResult,
  finding: string,
): Stage<void> {
  write.setActivity("Writing the answer");
  const before = warning();
  const { text, followUps } = await planner.answer(planned, plan, result);
  const now = warning();
  if (now && now !== before) yield write.error(now);
  const sets = [result, ...(result.formatted ? [{ ...result, rows: result.formatted }] : [])];
  const checked = verifyNumbers(text, sets, [history.question, JSON.stringify(plan.query.filters), plan.reasoning]);
  if (checked.removed.length > 0) {
    deps.logger.warn({ removed: checked.removed }, "an answer stated numbers that are in no row");
    yield write.error(`Left out of the answer, because the numbers are not in the rows: ${checked.removed.join(" ")}`);
  }
  const words = [checked.text || "The rows above are the answer.", finding].filter(Boolean).join("\n\n");
  const finalText = withWarning(words, now);
  yield write.text(TextType.FINAL_RESPONSE, [finalText], citationOf(finalText, { match: undefined, request, history }));
  if (followUps.length > 0) yield write.text(TextType.FOLLOWUP_QUESTIONS, followUps);
}

function withWarning(text: string, warning: string | undefined): string {
  return warning ? `${text}\n\n*${warning}*` : text;
}
