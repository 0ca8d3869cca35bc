import type { SemanticModel, SemanticTable } from "#analytics";
import { tokenize } from "#analytics";
import { detectOtherLanguage } from "./constituents/other-language.ts";
import { impossibleIn, parseConstituents } from "./constituents/parse-constituents.ts";
import type { Interpretation, InterpretedQuery } from "./interpretation.ts";
import { lexiconOf } from "./lexicon/build-lexicon.ts";
import type { ColumnRef } from "./lexicon/column-ref.ts";
import { columnLabel, tableLabel } from "./lexicon/names.ts";
import { distinguishRoles, roleLeftOpen, storedTables } from "./lexicon/roles.ts";
import { explain } from "./query/explain.ts";
import { joinsOf } from "./query/join-graph.ts";
import { chartFor, resultName } from "./query/labels.ts";
import { type SemanticQuery, tableOfMeasure } from "./query/semantic-query.ts";
import {
  assumedAggregates,
  boundsOfSingleRows,
  countedByWay,
  groupsWithoutRows,
  otherColumns,
  partialPeriods,
  repeatedNames,
  rowsOfSums,
  sumsOfStates,
  timesOfStates,
  undeclaredJoins,
  unreachedTables,
} from "./responses/caveats.ts";
import { mixedCurrencies } from "./responses/currencies.ts";
import { overviewFor, withOnlyTable } from "./responses/overview.ts";
import { followUps, suggestions } from "./responses/suggestions.ts";
import { asExistence } from "./semantics/as-existence.ts";
import { fewerThan } from "./semantics/fewer-than.ts";
import { isElliptical, lostOf, mergeFollowUp } from "./semantics/follow-up.ts";
import { type ParsedQuestion, parseSemantics } from "./semantics/parse-semantics.ts";
import { refusalOf } from "./semantics/refusals.ts";
import { type RelatedRows, relatedRows } from "./semantics/related-rows.ts";
import { stateOfNow } from "./semantics/state-of-now.ts";
import { withYearColumn } from "./semantics/year-column.ts";
import { baseTable, tablesOf } from "./sql/base-table.ts";
import { existenceSql } from "./sql/existence-sql.ts";
import { toSql } from "./sql/to-sql.ts";
import { isoDay } from "./time/period.ts";

/** A question merged with the questions before it. */
interface Resolved {
  readonly parsed: ParsedQuestion;
  readonly query: SemanticQuery;
  readonly subjects: readonly SemanticTable[];
  /** Warnings about parts that a follow-up does not inherit. */
  readonly lost: readonly string[];
  /** The day of the question, as an ISO date. */
  readonly today: string;
}

/**
 * Interprets the last question of a conversation. `questions` are those of the user, oldest first; a follow-up inherits parts of the
 * ones before. `now` resolves "last month". Deterministic: everything that was not understood is a warning or a reply. What it suggests
 * to ask next can be answered.
 */
export function interpretQuestion(questions: readonly string[], read: SemanticModel, now: Date): Interpretation {
  const model = distinguishRoles(read);
  const earlier = questions.slice(0, -1).reduce((before, one) => wentOn(before, one, model, now), NOTHING_ASKED);
  const question = questions.at(-1) ?? "";
  const meant = interpret(question, earlier, model, now);
  const until = wentOn(earlier, question, model, now);
  const answered = (followUps: readonly string[]) =>
    followUps.filter((next) => interpret(next, until, model, now).kind === "query").slice(0, MOST_FOLLOW_UPS);
  if (meant.kind === "reply") return { ...meant, followUps: answered(meant.followUps) };
  if (meant.kind === "redraw") return meant;
  return { kind: "query", query: { ...meant.query, followUps: answered(meant.query.followUps) } };
}

const MOST_FOLLOW_UPS = 3;

function interpret(asked: string, before: Before, model: SemanticModel, now: Date): Interpretation {
  const question = spelled(asked, model);
  const language = detectOtherLanguage(question);
  if (language && !isFullyKnown(question, model, now))
    return { kind: "reply", text: language.reply, followUps: suggestions(model) };
  if (isCommand(question, model)) return refuse("I only read data; nothing can be changed here.", model);
  const why = impossibleIn(question, model, now);
  if (why !== undefined) return refuse(why, model);
  const overview = overviewFor(question, model);
  if (overview) return { kind: "reply", text: overview, followUps: suggestions(model) };
  const resolved = resolve(question, before.resolved, model, now);
  if (before.refused && isElliptical(resolved.parsed)) {
    if (!before.resolved) return refuse(NOTHING_BEFORE, model);
    const from = `This goes on from “${before.question}”, the last question that was answered.`;
    return answer(question, before, { ...resolved, lost: [...resolved.lost, from] }, model);
  }
  return answer(question, before, resolved, model);
}

/** "quantity * price" in words, because signs between words are no tokens; and rows of the only table by its name. */
function spelled(asked: string, model: SemanticModel): string {
  const inWords = asked
    .replace(/(?<=[\p{L}\d])\s*[*×]\s*(?=\p{L})/gu, " times ")
    .replace(/\bas (?:a )?% of\b/gi, "as a percentage of");
  return withOnlyTable(inWords, model);
}

const NOTHING_BEFORE =
  "The question before was not answered, so there is nothing that this one could go on from. Ask it as a whole.";

interface Before {
  /** The last question that was answered, with those that it goes on from; undefined where none was. */
  readonly resolved?: Resolved;
  readonly question: string;
  /** Whether the question after it, the last of all, was refused. */
  readonly refused: boolean;
  /** Whether nothing was asked before. */
  readonly isFirst: boolean;
}

const NOTHING_ASKED: Before = { question: "", refused: false, isFirst: true };

/** What the next question goes on from: a refused one is not a part of the conversation, because its answer would have been another question's. */
function wentOn(before: Before, asked: string, model: SemanticModel, now: Date): Before {
  const question = spelled(asked, model);
  const resolved = resolve(question, before.resolved, model, now);
  const isAnswered =
    impossibleIn(question, model, now) === undefined &&
    !isCommand(question, model) &&
    !(before.refused && !before.resolved && isElliptical(resolved.parsed)) &&
    answer(question, before, resolved, model).kind !== "reply";
  return isAnswered
    ? { resolved, question, refused: false, isFirst: false }
    : { ...before, refused: true, isFirst: false };
}

/** The answer to the last question, which was resolved with those before it. */
function answer(question: string, before: Before, resolved: Resolved, model: SemanticModel): Interpretation {
  const { query, parsed } = resolved;
  if (isRedraw(parsed) && !before.isFirst && query.chart) return { kind: "redraw", chart: query.chart };
  const [why] = parsed.refusals;
  if (why !== undefined && isEmpty(query)) return refuse(why, model);
  if (isEmpty(query) && resolved.subjects.length === 0) return notUnderstood(model, parsed.unknown);
  if (isUnderspecified(resolved)) return notUnderstood(model, parsed.unknown);
  const open = roleLeftOpen(spokenOf(resolved), tablesOf(query, []), model);
  if (open !== undefined) return refuse(open, model);
  if (parsed.unknown.includes("not")) return refuse(unresolvedNegation(parsed.unknown), model);
  const refusal = refusalOf(question, withSubject(resolved), parsed, resolved.subjects, model);
  if (refusal) return refuse(refusal.why, model, refusal.followUps);
  return write(resolved, model);
}

function resolve(question: string, last: Resolved | undefined, model: SemanticModel, now: Date): Resolved {
  const constituents = parseConstituents(tokenize(question), model, now);
  const parsed = parseSemantics(
    constituents,
    model,
    last?.query.measures.map((one) => tableLabel(tableOfMeasure(one))),
  );
  if (!last || isNothing(last) || !isElliptical(parsed)) {
    return { parsed, query: parsed.query, subjects: parsed.subjects, lost: [], today: isoDay(now) };
  }
  const query = mergeFollowUp(withSubject(last), parsed);
  const lost = lostOf(last.query, query, parsed);
  return {
    parsed,
    query,
    subjects: parsed.subjects.length > 0 ? parsed.subjects : parsed.whole ? notSplitBy(last) : last.subjects,
    lost,
    today: isoDay(now),
  };
}

/** The tables that a question names and does not split by. */
function notSplitBy({ query, subjects }: Resolved): readonly SemanticTable[] {
  return subjects.filter((table) => !query.dimensions.some((one) => one.kind === "entity" && one.table === table));
}

/** The tables that a question speaks of. */
function spokenOf({ query, subjects }: Resolved): readonly SemanticTable[] {
  const { existence } = query;
  const related = existence ? [existence.subject, ...existence.occurrences.map(({ fact }) => fact)] : [];
  return [...tablesOf(query, subjects), ...subjects, ...related];
}

/** Commands to change data. */
const CHANGES =
  /^\s*(please\s+|can you\s+)?(delete|drop|update|insert|truncate|alter|remove|create table|overwrite|cancel|refund)\b/i;

const COMMAND_NOUN =
  /^\s*(refund|cancel|update|drop)\s+(rate|share|percentage|ratio|reason|amount|count|date|time)s?\b/i;

/** "refund order 5" is a command; "refund by month" is not where refunds are a table. */
function isCommand(question: string, model: SemanticModel): boolean {
  const [, , verb = ""] = CHANGES.exec(question) ?? [];
  // "refund rate by cabin", "cancel reasons"
  if (verb === "" || COMMAND_NOUN.test(question)) return false;
  const named = tokenize(verb).flatMap(({ stem }) => lexiconOf(model).get(stem) ?? []);
  return !named.some(({ meanings }) => meanings.some(({ kind }) => kind === "table" || kind === "column"));
}

/** Whether a question in another language consists of names of the data. */
function isFullyKnown(question: string, model: SemanticModel, now: Date): boolean {
  return parseSemantics(parseConstituents(tokenize(question), model, now), model).unknown.length === 0;
}

/** Only a dimension or a value was understood, and unknown words may be what is asked for: rows beside it are no answer. */
function isUnderspecified({ query, subjects, parsed }: Resolved): boolean {
  const { measures, dimensions, existence } = query;
  const grouped = dimensions.flatMap((one) => (one.kind === "entity" ? [one.table] : []));
  const named = subjects.filter((table) => !grouped.includes(table));
  return !existence && parsed.unknown.length > 0 && measures.length === 0 && named.length === 0;
}

function isEmpty({ measures, dimensions, filters, countGroups, existence }: SemanticQuery): boolean {
  if (existence) return false;
  return measures.length === 0 && dimensions.length === 0 && filters.length === 0 && !countGroups;
}

function isNothing({ query, subjects }: Resolved): boolean {
  return isEmpty(query) && subjects.length === 0;
}

/** "make that a pie chart": nothing but the picture changes. */
function isRedraw({ query }: ParsedQuestion): boolean {
  return query.chart !== undefined && isEmpty(query) && query.period === undefined && query.top === undefined;
}

function write(resolved: Resolved, model: SemanticModel): Interpretation {
  const meant = withSubject(resolved);
  const asked = fewerThan(meant, resolved.subjects, model) ?? asExistence(meant, resolved.subjects, model);
  if (asked.existence) return writeExistence(asked, resolved, model);
  const related = relatedRows(asked, resolved.subjects, model);
  if (related && "refusal" in related) return refuse(related.refusal, model);
  return writeRows({ query: asked, tables: [], warnings: [], ...related }, resolved, model);
}

function writeRows(
  { query: asked, tables, warnings }: Exclude<RelatedRows, { refusal: string }>,
  resolved: Resolved,
  model: SemanticModel,
): Interpretation {
  const { parsed, lost } = resolved;
  const subjects = resolved.subjects.filter((table) => !tables.includes(table));
  const base = baseTable(asked, subjects, model);
  if (!base) {
    const names = resolved.subjects.map(tableLabel).join(" and ");
    const fix = "Whoever edits the data agent can give these tables a relationship.";
    return refuse(`I found no way to join what you ask about${names ? ` (${names})` : ""}. ${fix}`, model);
  }
  const years = withYearColumn(asked, base, model);
  if ("refusal" in years) return refuse(`I cannot answer that: ${years.refusal}.`, model);
  const { query } = years;
  const mentioned = new Set(resolved.subjects.map(tableLabel));
  const written = toSql(query, base, model, mentioned, resolved.today);
  if (written.kind === "impossible") return refuse(`I cannot answer that: ${written.reason}.`, model);
  const now = stateOfNow(query, written.timeColumn);
  if (now) return refuse(now, model);
  const interpreted: InterpretedQuery = {
    name: resultName(query),
    sql: written.sql,
    understanding: explain(query, written.timeColumn),
    warnings: [
      ...parsed.warnings,
      ...lost,
      ...assumed(query, resolved),
      ...assumedAggregates(query),
      ...sumsOfStates(query),
      ...repeatedNames(query),
      ...rowsOfSums(query),
      ...mixedCurrencies(query, model),
      ...warnings,
      ...written.warnings,
      ...relatedJoins(query, model),
      ...otherColumns(query, base),
      ...unreachedTables(subjects, base, written.tables, model),
      ...groupsWithoutRows(query),
      ...countedByWay(query, base, resolved.subjects),
      ...partialPeriods(query, written.timeColumn),
      ...timesOfStates(query, written.timeColumn),
      ...unusedWords([...parsed.introducing, ...parsed.unknown]),
    ],
    ...(chartFor(query) && { chart: chartFor(query) }),
    ...(query.top && query.dimensions.length === 1 && !query.average && { ranked: query.top.count ?? 1 }),
    ...uncovered(query, written.timeColumn),
    followUps: followUps(query, base, model),
  };
  return { kind: "query", query: interpreted };
}

/** A table that is new here has no range of days yet. */
function uncovered({ period }: SemanticQuery, time: ColumnRef | undefined): Pick<InterpretedQuery, "uncovered"> {
  return period && time && !time.column.range ? { uncovered: columnLabel(time.table, time.column) } : {};
}

function writeExistence(
  query: SemanticQuery,
  { parsed, subjects, lost, today }: Resolved,
  model: SemanticModel,
): Interpretation {
  const { existence } = query;
  const sql = existence && existenceSql(existence, query.filters, model, today);
  if (!sql) return refuse("I cannot answer that: the table has no key by which its rows are told apart.", model);
  const interpreted: InterpretedQuery = {
    name: resultName(query),
    sql,
    understanding: explain(query, undefined),
    warnings: [
      ...parsed.warnings,
      ...lost,
      ...boundsOfSingleRows(existence, subjects),
      ...undeclaredJoins(existence.occurrences.flatMap(({ fact }) => stepsTo(fact, existence.subject, model))),
      ...unusedWords([...parsed.introducing, ...parsed.unknown]),
    ],
    followUps: followUps(query, existence.subject, model),
  };
  return { kind: "query", query: interpreted };
}

function relatedJoins({ filters }: SemanticQuery, model: SemanticModel): readonly string[] {
  return undeclaredJoins(
    filters.flatMap((one) => (one.kind === "related" ? stepsTo(one.occurrence.fact, one.table, model) : [])),
  );
}

function stepsTo(fact: SemanticTable, subject: SemanticTable, model: SemanticModel) {
  return joinsOf(model).path(fact, subject, new Set())?.steps ?? [];
}

/** A warning about an assumed count. */
function assumed(
  query: SemanticQuery,
  { query: { measures }, subjects, parsed: { listed } }: Resolved,
): readonly string[] {
  const [counted] = query.measures;
  if (measures.length > 0 || counted?.kind !== "rows" || listed) return [];
  if (query.dimensions.length > 0)
    return subjects.includes(counted.table) ? [] : [`You named no number; I counted ${tableLabel(counted.table)}.`];
  if (query.share && subjects.length === 0) return [`The whole is all ${tableLabel(counted.table)}.`];
  return [`You named only ${tableLabel(counted.table)}; I counted them. Begin with “list” to see them.`];
}

/** A table that is only named is counted beside a period, a dimension or a filter; alone it is listed. */
function withSubject({ query, subjects, parsed }: Resolved): SemanticQuery {
  const [named] = subjects.filter(
    (table) => !query.dimensions.some((dimension) => dimension.kind === "entity" && dimension.table === table),
  );
  // "shipped by month": units of time without a number are of the rows that have the time.
  const isOverTime = query.dimensions.some(({ kind }) => kind === "time" || kind === "part") && !query.top;
  const subject = named ?? (isOverTime ? query.timeColumn?.table : undefined) ?? chosenRows(query, parsed);
  const isTimed = (query.period !== undefined || query.days !== undefined) && !parsed.listed;
  const wantsNumber =
    isTimed ||
    (query.dimensions.length > 0 && !parsed.listed) ||
    query.share ||
    query.growth !== undefined ||
    query.moving !== undefined ||
    query.running;
  if (query.measures.length > 0 || query.countGroups || !subject || !wantsNumber) return query;
  return { ...query, measures: [{ kind: "rows", table: subject }] };
}

/** "penalties by team", "smokers by city": the rows that are chosen, where all conditions are of one table and no names are asked for. */
function chosenRows({ filters, dimensions, top, share }: SemanticQuery, { names, listed, splits }: ParsedQuestion) {
  // "share of each grade": of the rows that have grades.
  const shared = new Set(dimensions.map((one) => (one.kind === "column" ? one.table : undefined)));
  if (share && shared.size === 1) return [...shared][0];
  const [table, other] = new Set(filters.map((filter) => filter.table));
  // "percentage delivered late": of all rows that may be so.
  if (share && dimensions.length === 0) return other ? undefined : table;
  const isOfOthers = dimensions.length > 0 && dimensions.every((one) => one.kind !== "column" || one.table !== table);
  return other || names || listed || top || !(isOfOthers || (splits && dimensions.length > 0)) ? undefined : table;
}

function unusedWords(unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return [];
  const words = unknown.map((word) => (word.startsWith("“") ? word : `“${word}”`)).join(", ");
  return [`I did not understand ${words} and left it out.`];
}

/** Without its negation a question asks for the opposite, so a warning is not enough. */
function unresolvedNegation(unknown: readonly string[]): string {
  const others = unknown.filter((word) => word !== "not").map((word) => `“${word}”`);
  const also = others.length > 0 ? ` Nor do I understand ${others.join(", ")}.` : "";
  return `I did not understand what “not” (or “without”, “never”) belongs to, and leaving it out would answer the opposite.${also}`;
}

function notUnderstood(model: SemanticModel, unknown: readonly string[]): Interpretation {
  const about = unknown.length > 0 ? ` I know nothing of ${unknown.map((word) => `“${word}”`).join(", ")}.` : "";
  return refuse(`I did not understand the question.${about}`, model);
}

/** Tables that a refusal names. */
const MOST_NAMES = 12;

function refuse(why: string, model: SemanticModel, instead: readonly string[] = []): Interpretation {
  const known = storedTables(model);
  const names = known.slice(0, MOST_NAMES).map(tableLabel).join(", ");
  const left = known.length + (model.left ?? 0) - Math.min(known.length, MOST_NAMES);
  const tables = left > 0 ? `${names}, and ${left} more` : names;
  return {
    kind: "reply",
    text: `${why} I can count, add up, average, compare and rank what is in these tables: ${tables}. Ask “what data do you have?” for their columns.`,
    followUps: instead.length > 0 ? instead : suggestions(model),
  };
}
