import type { SemanticModel, SemanticTable } from "#analytics";
import { tokenize } from "#analytics";
import type { Interpretation, InterpretedQuery } from "./interpreter.ts";
import { lexiconOf } from "./lexicon/build-lexicon.ts";
import { spokenTable } from "./lexicon/table-words.ts";
import { readItems } from "./parse/read-items.ts";
import { chartFor } from "./query/chart-for.ts";
import { explain } from "./query/explain.ts";
import { leansOnLast, mergeFollowUp } from "./query/follow-up.ts";
import { resultName } from "./query/labels.ts";
import type { SemanticQuery } from "./query/semantic-query.ts";
import { type Understood, understand } from "./query/understand.ts";
import { baseTable } from "./sql/base-table.ts";
import { existenceSql } from "./sql/existence-sql.ts";
import { toSql } from "./sql/to-sql.ts";
import { onlySome, withoutPart } from "./tell/left-out.ts";
import { partialPeriods } from "./tell/partial-periods.ts";
import { followUps, suggestions } from "./tell/suggestions.ts";
import { otherLanguage } from "./words/other-language.ts";

/** A question with the questions before it taken into account. */
interface Resolved {
  readonly understood: Understood;
  readonly query: SemanticQuery;
  readonly subjects: readonly SemanticTable[];
  /** What a follow-up could not take along. */
  readonly lost: readonly string[];
}

/** Understands the last of the questions; the ones before settle what a follow-up leaves out. */
export function interpret(questions: readonly string[], model: SemanticModel, now: Date): Interpretation {
  const question = questions.at(-1) ?? "";
  const language = otherLanguage(question);
  if (language && !knowsAll(question, model, now))
    return { kind: "reply", text: language.reply, followUps: suggestions(model) };
  if (CHANGES.test(question)) return cannot("I only read data; nothing can be changed here.", model);
  const resolved = questions.reduce<Resolved | undefined>(
    (last, question) => resolve(question, last, model, now),
    undefined,
  );
  if (!resolved) return notUnderstood(model, []);
  const { query, understood } = resolved;
  if (isRedraw(understood) && questions.length > 1 && query.chart) return { kind: "redraw", chart: query.chart };
  if (isEmpty(query) && resolved.subjects.length === 0) return notUnderstood(model, understood.unknown);
  if (saysTooLittle(resolved)) return notUnderstood(model, understood.unknown);
  if (understood.unknown.includes("not")) return cannot(notDenied(understood.unknown), model);
  return write(resolved, model);
}

function resolve(question: string, last: Resolved | undefined, model: SemanticModel, now: Date): Resolved {
  const understood = understand(readItems(tokenize(question), lexiconOf(model), now), model);
  if (!last || isEmpty(last.query) || !leansOnLast(understood)) {
    return { understood, query: understood.query, subjects: understood.subjects, lost: [] };
  }
  const query = mergeFollowUp(last.query, understood);
  const lost =
    last.query.existence && !query.existence
      ? ["The things of the question before were not taken along; this is asked of all."]
      : [];
  return { understood, query, subjects: understood.subjects.length > 0 ? understood.subjects : last.subjects, lost };
}

/** Commands that change data begin like this. */
const CHANGES =
  /^\s*(please\s+|can you\s+)?(delete|drop|update|insert|truncate|alter|remove|create table|overwrite|cancel|refund)\b/i;

/** A question in another language may still be made of names that the data has. */
function knowsAll(question: string, model: SemanticModel, now: Date): boolean {
  return understand(readItems(tokenize(question), lexiconOf(model), now), model).unknown.length === 0;
}

/** Only a way to group was understood, and words that may have been the number: a list of groups is no answer. */
function saysTooLittle({ query, subjects, understood }: Resolved): boolean {
  const { measures, dimensions, filters, existence } = query;
  const grouped = dimensions.flatMap((one) => (one.kind === "entity" ? [one.table] : []));
  const named = subjects.filter((table) => !grouped.includes(table));
  return (
    !existence && understood.unknown.length > 0 && measures.length === 0 && named.length === 0 && filters.length === 0
  );
}

function isEmpty({ measures, dimensions, filters, countGroups, existence }: SemanticQuery): boolean {
  if (existence) return false;
  return measures.length === 0 && dimensions.length === 0 && filters.length === 0 && !countGroups;
}

/** "make that a pie chart": nothing but the picture changes. */
function isRedraw({ query }: Understood): boolean {
  return query.chart !== undefined && isEmpty(query) && query.period === undefined && query.top === undefined;
}

function write(resolved: Resolved, model: SemanticModel): Interpretation {
  const { understood, lost } = resolved;
  const query = asExistence(withSubject(resolved), resolved, model);
  if (query.existence) return writeExistence(query, resolved, model);
  const base = baseTable(query, resolved.subjects, model);
  if (!base) {
    const names = resolved.subjects.map(spokenTable).join(" and ");
    return cannot(`I found no way to join what you ask about${names ? ` (${names})` : ""}.`, model);
  }
  const mentioned = new Set(resolved.subjects.map(spokenTable));
  const written = toSql(query, base, model, mentioned);
  if (written.kind === "impossible") return cannot(`I cannot answer that: ${written.reason}.`, model);
  const interpreted: InterpretedQuery = {
    name: resultName(query),
    sql: written.sql,
    understanding: explain(query, written.timeColumn),
    warnings: [
      ...understood.warnings,
      ...lost,
      ...assumed(query, resolved),
      ...written.warnings,
      ...withoutPart(resolved.subjects, base, written.tables, model),
      ...onlySome(query),
      ...partialPeriods(query, written.timeColumn),
      ...notUsed(understood.unknown),
    ],
    ...(chartFor(query) && { chart: chartFor(query) }),
    followUps: followUps(query, base, model),
  };
  return { kind: "query", query: interpreted };
}

/** Rows of one table that are chosen by what belongs to them: "list customers who bought Tea in Leeds". */
function asExistence(query: SemanticQuery, { subjects }: Resolved, model: SemanticModel): SemanticQuery {
  const [subject] = subjects;
  const isList = query.measures.length === 0 && query.dimensions.length === 0 && !query.countGroups;
  if (!isList || query.existence || !subject || query.filters.length === 0) return query;
  const own = query.filters.filter(({ table }) => table === subject);
  const base = baseTable({ ...query, through: subject }, [subject], model);
  if (!base || base === subject) return { ...query, through: subject };
  const others = query.filters.filter(({ table }) => table !== subject);
  const { period } = query;
  const occurrence = { negated: false, fact: base, filters: others, ...(period && { period }) };
  return { ...query, filters: own, existence: { subject, counted: false, occurrences: [occurrence] } };
}

function writeExistence(query: SemanticQuery, { understood, lost }: Resolved, model: SemanticModel): Interpretation {
  const { existence } = query;
  const sql = existence && existenceSql(existence, query.filters, model);
  if (!existence || !sql)
    return cannot("I cannot answer that: the table has no key by which its rows are told apart.", model);
  const interpreted: InterpretedQuery = {
    name: resultName(query),
    sql,
    understanding: explain(query, undefined),
    warnings: [...understood.warnings, ...lost, ...notUsed(understood.unknown)],
    followUps: followUps(query, existence.subject, model),
  };
  return { kind: "query", query: interpreted };
}

/** A number that nobody asked for by name. */
function assumed(query: SemanticQuery, { query: { measures }, understood: { listed } }: Resolved): readonly string[] {
  const [counted] = query.measures;
  if (measures.length > 0 || counted?.kind !== "rows" || listed || query.dimensions.length > 0) return [];
  return [`You named only ${spokenTable(counted.table)}; I counted them. Begin with “list” to see them.`];
}

/** A thing that is only named, with a time, a group or a filter beside it, is counted; alone it is listed. */
function withSubject({ query, subjects, understood }: Resolved): SemanticQuery {
  const [subject] = subjects.filter(
    (table) => !query.dimensions.some((dimension) => dimension.kind === "entity" && dimension.table === table),
  );
  const isTimed = query.period !== undefined && !understood.listed;
  const wantsNumber =
    isTimed ||
    (query.dimensions.length > 0 && !understood.listed) ||
    query.share ||
    query.growth !== undefined ||
    query.running;
  if (query.measures.length > 0 || query.countGroups || !subject || !wantsNumber) return query;
  return { ...query, measures: [{ kind: "rows", table: subject }] };
}

function notUsed(unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return [];
  const words = unknown.map((word) => (word.startsWith("“") ? word : `“${word}”`)).join(", ");
  return [`I did not understand ${words} and left it out.`];
}

/** Without its denial a question asks for the opposite: that is not answered with a note. */
function notDenied(unknown: readonly string[]): string {
  const others = unknown.filter((word) => word !== "not").map((word) => `“${word}”`);
  const also = others.length > 0 ? ` Nor do I understand ${others.join(", ")}.` : "";
  return `I did not understand what “not” (or “without”, “never”) belongs to, and leaving it out would answer the opposite.${also}`;
}

function notUnderstood(model: SemanticModel, unknown: readonly string[]): Interpretation {
  const about = unknown.length > 0 ? ` I know nothing of ${unknown.map((word) => `“${word}”`).join(", ")}.` : "";
  return cannot(`I did not understand the question.${about}`, model);
}

function cannot(why: string, model: SemanticModel): Interpretation {
  const tables = model.tables.map(spokenTable).join(", ");
  return {
    kind: "reply",
    text: `${why} I can count, add up, average, compare and rank what is in these tables: ${tables}.`,
    followUps: suggestions(model),
  };
}
