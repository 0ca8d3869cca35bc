import type { SemanticColumn, SemanticTable } from "#analytics";
import { isFlag, isKey } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { explain } from "../query/explain.ts";
import { type SemanticQuery, tableOfMeasure } from "../query/semantic-query.ts";
import type { ParsedQuestion } from "./parse-semantics.ts";
import type { Refusal } from "./refusals.ts";

/**
 * "late shipments", "how many patients died", "big customers from Berlin": a word that the data does not know may choose rows, so that the
 * number without it is another question's. Told with what rows can be chosen by; offered is the question without the word.
 */
export function wordsLeftOut(
  query: SemanticQuery,
  { unknown, timed }: Pick<ParsedQuestion, "unknown" | "timed">,
  subjects: readonly SemanticTable[],
): Refusal | undefined {
  const table = tableOf(query) ?? subjects[0];
  const times = table ? timeColumns(table) : [];
  // "doctors hired after 2015": with one time of a doctor, the verb can only be of that.
  const left = unknown.filter((word) => times.length > 1 || !timed.includes(word));
  if (left.length === 0) return undefined;
  const words = left.map((word) => `“${word}”`).join(", ");
  const when = left.every((word) => timed.includes(word)) && table ? timesOf(table, left[0] ?? "") : "";
  const rows = table && when === "" ? choices(table) : "";
  return {
    why: `I do not understand ${words}, and without ${left.length === 1 ? "it" : "them"} the answer would be another question's.${when}${rows}`,
    followUps: [without(query)],
  };
}

function tableOf({ measures, existence }: SemanticQuery): SemanticTable | undefined {
  const [first] = measures;
  return existence?.subject ?? (first && tableOfMeasure(first));
}

/** What was understood, as a question. */
function without(query: SemanticQuery): string {
  return explain(query, undefined).replace(/\.$/, "");
}

/** "employees who left in 2025": hired, or terminated? */
function timesOf(table: SemanticTable, word: string): string {
  const names = timeColumns(table).map((column) => columnLabel(table, column));
  return ` If “${word}” is a time of ${tableLabel(table)}, name which: ${names.join(", ")}.`;
}

const MOST_COLUMNS = 4;
const MOST_VALUES = 4;
/** A column with more values names rows rather than telling kinds of them apart. */
const MOST_KINDS = 20;

/** The columns whose values tell kinds of rows apart. */
function choices(table: SemanticTable): string {
  const columns = table.columns
    .filter((column) => !isKey(table, column) && (isFlag(column) || isKind(column)))
    .slice(0, MOST_COLUMNS)
    .map((column) => `${columnLabel(table, column)}${shown(column)}`);
  return columns.length > 0 ? ` Rows of ${tableLabel(table)} can be chosen by ${columns.join(", ")}.` : "";
}

function isKind({ values = [] }: SemanticColumn): boolean {
  return values.length > 1 && values.length <= MOST_KINDS;
}

function shown({ values = [] }: SemanticColumn): string {
  if (values.length === 0) return "";
  const more = values.length > MOST_VALUES ? ", …" : "";
  return ` (${values.slice(0, MOST_VALUES).join(", ")}${more})`;
}
