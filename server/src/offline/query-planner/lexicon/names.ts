import { type SemanticColumn, type SemanticTable, tokenize } from "#analytics";
import { isKey, isNumeric, isTemporal } from "./meaning.ts";

/** The part that all columns of a table begin with (`l_` in `l_quantity`), in words; it says nothing. */
function sharedPrefix({ columns }: SemanticTable): string {
  const first = /^([a-z]{1,4})_/i.exec(columns[0]?.name ?? "")?.[0] ?? "";
  return first !== "" && columns.length > 1 && columns.every(({ name }) => name.startsWith(first)) ? first : "";
}

/** A column's name as people say it. */
export function columnLabel(table: SemanticTable, column: SemanticColumn): string {
  const name = column.name.slice(sharedPrefix(table).length);
  return tokenize(splitCompound(name))
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

/** A table's name as people say it. */
export function tableLabel({ schema }: SemanticTable): string {
  return tokenize(schema.path.at(-1) ?? "")
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

/** Endings that are written onto the word before them in short column names: orderdate, totalprice, supplycost. */
const TAILS = /^([a-z]{3,}?)(date|time|price|cost|key|name|priority|segment|mode|status|flag|balance|bal|qty|type)$/i;

function splitCompound(name: string): string {
  const parts = TAILS.exec(name);
  return parts && !name.includes("_") ? `${parts[1]}_${parts[2]}` : name;
}

/** The column that names a row of a table to a person; undefined where none does. */
export function displayColumn(table: SemanticTable): SemanticColumn | undefined {
  const texts = table.columns.filter((column) => column.type === "STRING" && !isKey(table, column));
  return texts.find((column) => /^(name|title|label)$|name$|title$/i.test(columnLabel(table, column))) ?? undefined;
}

const PEOPLE = /\b(customer|client|user|buyer|person|people|employee|member|shopper|patient|student)/i;

/** Whether a table's rows are people, by its name or its synonyms. */
export function isAboutPeople(table: SemanticTable): boolean {
  return PEOPLE.test(`${tableLabel(table)} ${table.synonyms.join(" ")}`);
}

/** Columns of time, the most telling first: what happened when, before when it was promised or received. */
export function timeColumns(table: SemanticTable): readonly SemanticColumn[] {
  return table.columns.filter(isTemporal);
}

/** What a row costs; undefined where no column tells. */
export function priceColumn({ columns }: SemanticTable): SemanticColumn | undefined {
  return columns.find((column) => isNumeric(column) && /price|cost/i.test(column.name));
}

/** The verb behind a form of it: "shipped" and "shipping" are "ship", "delivered" is "deliver". */
export function verbOf(word: string): string {
  const cut = word.replace(/(ed|ing)$/, "");
  if (cut === word || cut.length < 3) return word;
  return /([bdgklmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}
