import type { SemanticModel, SemanticTable } from "#analytics";
import { isKey, isNumeric, isYear } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import { dimensionLabel } from "../query/labels.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";
import { refusalOfAll } from "./asks-of-all.ts";
import { wordsLeftOut } from "./left-out.ts";
import type { ParsedQuestion } from "./parse-semantics.ts";

/** Why a question gets no answer, and questions that would get one. */
export interface Refusal {
  readonly why: string;
  readonly followUps: readonly string[];
}

/** Questions that are offered instead. */
const MOST_FOLLOW_UPS = 3;

/**
 * Refuses what was understood in part only, where the answer would look right and be another question's: an arithmetic that makes no sense,
 * a ranking by nothing, a condition that is left out, an OR between columns, a list without what was asked of it.
 */
export function refusalOf(
  question: string,
  query: SemanticQuery,
  { refusals, unknown, timed }: Pick<ParsedQuestion, "refusals" | "unknown" | "timed">,
  subjects: readonly SemanticTable[],
  model: SemanticModel,
): Refusal | undefined {
  const [refusal] = refusals;
  if (refusal) return { why: refusal, followUps: [] };
  const ofAll = refusalOfAll(question, query, subjects, model);
  if (ofAll) return { why: ofAll, followUps: [] };
  const ranked = rankedByNothing(query, model);
  if (ranked) return ranked;
  if (query.top && query.measures.length > 0 && query.dimensions.length === 0)
    return { why: "I do not know what to rank. Name it, as in “store with the highest revenue”.", followUps: [] };
  const sharesNothing = query.measures.length === 0 && !query.existence;
  if (query.share && query.dimensions.length === 0 && (query.filters.length === 0 || sharesNothing))
    return {
      why: `I do not know of what the share is: the whole is 100 % of itself.${also(unknown, "")}`,
      followUps: [],
    };
  const beyond = unknown.find((word) => BEYOND.test(word));
  if (beyond) return { why: `I cannot compute what “${beyond}” asks for.`, followUps: [] };
  const time = unknown.find((word) => TIME.test(word));
  if (time) {
    const words = unknown.map((word) => `“${word}”`).join(", ");
    return {
      why: `I do not understand the time that ${words} names. Name days, as in “from 2026-01-01 to 2026-01-10”.`,
      followUps: [],
    };
  }
  const number = unknown.find((word) => NUMBER.test(word));
  if (number) return { why: `I do not know what “${number}” is about.${also(unknown, number)}`, followUps: [] };
  const bound = unknown.find((word) => /^([<>=~+]|between )/.test(word));
  if (bound && !/\d/.test(bound))
    return {
      why: `I do not understand what “${bound}” compares. Name a column before it, and a number, a date or a value behind it.`,
      followUps: [],
    };
  if (bound) return { why: `I do not know which column “${bound}” is about.${also(unknown, bound)}`, followUps: [] };
  if (hasOrBetweenColumns(question, query))
    return { why: "I combine conditions on different columns with AND only; ask for each of them.", followUps: [] };
  if (query.countGroups && query.dimensions.length > 1)
    return { why: "I count such groups over all, and not for each of something else.", followUps: [] };
  const isTimed = query.dimensions.some(({ kind }) => kind === "time");
  if (
    (isTimed || asksNumber(question)) &&
    query.measures.length === 0 &&
    !query.countGroups &&
    !query.existence &&
    unknown.length > 0
  ) {
    const words = unknown.map((word) => `“${word}”`).join(", ");
    return { why: `I know nothing of ${words}, and a list of rows is not the number that you ask for.`, followUps: [] };
  }
  if (isBareList(query) && unknown.length > 0) {
    const words = unknown.map((word) => `“${word}”`).join(", ");
    return { why: `I know nothing of ${words}, and a list of all rows would not answer that.`, followUps: [] };
  }
  return wordsLeftOut(query, { unknown, timed }, subjects);
}

/** Words without which a question is another one: arithmetic between numbers, and superlatives of words that are no column. */
const BEYOND =
  /^(both|median|minimum|maximum|least|most|ratio|moving|rolling|(?:top|best|bottom|worst|first|highest|lowest) [\d.]+(?:%| percent)?|minus|plus|difference|divided|multiplied|correlation|(?!(?:forest|harvest|request|interest|guest|latest|newest|west|test)$)\p{L}{3,}est)$/iu;

/** Words of a time, without which the rows of all times would be shown. */
const TIME =
  /^((first|last|next|coming|tomorrow|weekends?|fortnight|decade|century|mornings?|afternoons?|evenings?|nights?|noon|midnight|spring|summer|autumn|winter|seasons?|easter|christmas|xmas|thanksgiving|holidays?|fiscal|ago|since|until|before|after|date|days?|weeks?|months?|quarters?|years?|hours?|minutes?)$|(until|till|through|from) .|(mon|tues|wednes|thurs|fri|satur|sun)days?$|first \d|\d+ first)/iu;

/** Numbers in digits and words: "15.10" may be a day, "twice" a bound, "second" a place. */
const NUMBER =
  /^(\d[\d.,/:-]*(st|nd|rd|th|%)?|once|twice|thrice|second|third|fourth|fifth|two|three|four|five|six|seven|eight|nine|ten)$/iu;

function also(unknown: readonly string[], bound: string): string {
  const others = unknown.filter((word) => word !== bound).map((word) => `“${word}”`);
  return others.length > 0 ? ` Nor do I understand ${others.join(", ")}.` : "";
}

/** "which customer spent the most": most of what? */
function rankedByNothing({ top, measures, countGroups, dimensions }: SemanticQuery, model: SemanticModel) {
  if (!top || measures.length > 0 || countGroups) return undefined;
  const time = dimensions.find((one) => one.kind === "time" || one.kind === "part");
  if (time && dimensions.length === 1) {
    const unit = dimensionLabel(time);
    const [rows] = model.tables.filter((one) => timeColumns(one).length > 0).map(tableLabel);
    const example = rows ? `, as in “which ${unit} has the most ${rows}”` : "";
    return {
      why: `By what should each ${unit} be ranked? Name a number, or rows that are counted${example}.`,
      followUps: rows ? [`which ${unit} has the most ${rows}`] : [],
    };
  }
  const [table] = dimensions.flatMap((one) => (one.kind === "entity" || one.kind === "column" ? [one.table] : []));
  if (!table) return undefined;
  const rows = tableLabel(table);
  return {
    why: `By what should ${rows} be ranked? Name a number.`,
    followUps: amounts(table, model).map(
      (amount) => `${top.direction === "most" ? "highest" : "lowest"} ${amount} by ${rows}`,
    ),
  };
}

/** Amounts of a table, and of tables that refer to it. */
function amounts(table: SemanticTable, model: SemanticModel): readonly string[] {
  const near = model.tables.filter((one) => one === table || joinsOf(model).path(one, table, new Set()));
  const found = near.flatMap((one) =>
    one.columns
      .filter((column) => isNumeric(column) && !isKey(one, column) && !isYear(column))
      .map((column) => columnLabel(one, column)),
  );
  return [...new Set(found)].slice(0, MOST_FOLLOW_UPS);
}

/** "open or over 150": the filters are joined by AND. "York or Leeds" are values of one column, "10 or more" is a bound. */
function hasOrBetweenColumns(question: string, { filters, having }: SemanticQuery): boolean {
  const words = question
    .replace(/"[^"]*"|“[^”]*”/g, "")
    .replace(/\bor\s+(more|less|fewer|later|earlier|older|newer|higher|lower)\b/gi, "");
  const ors = words.match(/\bor\b/gi)?.length ?? 0;
  const alternatives = filters.reduce((sum, one) => sum + (one.kind === "values" ? one.values.length - 1 : 0), 0);
  return ors > alternatives && filters.length + having.length > 1;
}

/** Whether a number is asked for, by its words. */
function asksNumber(question: string): boolean {
  return /\b(how many|how much|number of|average|mean|median|total|sum|share|percentage|highest|lowest|minimum|maximum)\b/i.test(
    question,
  );
}

function isBareList({ measures, dimensions, filters, having, existence, period, countGroups }: SemanticQuery): boolean {
  const parts = [measures, dimensions, filters, having].every((part) => part.length === 0);
  return parts && !existence && !period && !countGroups;
}
