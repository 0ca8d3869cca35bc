import { type SemanticColumn, type SemanticTable, tokenize } from "#analytics";
import { isKey, isNumeric, isTemporal } from "./meaning.ts";

/** The prefix that all columns of a table share (`l_` in `l_quantity`); it has no meaning. */
function sharedPrefix({ columns }: SemanticTable): string {
  const first = /^([a-z]{1,4})_/i.exec(columns[0]?.name ?? "")?.[0] ?? "";
  return first !== "" && columns.length > 1 && columns.every(({ name }) => name.startsWith(first)) ? first : "";
}

/** A column's name in words. */
export function columnLabel(table: SemanticTable, column: SemanticColumn): string {
  const name = column.name.slice(sharedPrefix(table).length);
  return tokenize(splitCompound(name))
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

/** A table's name in words. */
export function tableLabel({ schema }: SemanticTable): string {
  return tokenize(schema.path.at(-1) ?? "")
    .map(({ text }) => text.toLowerCase())
    .join(" ");
}

/** Suffixes of compound column names: orderdate, totalprice, supplycost. */
const TAILS = /^([a-z]{3,}?)(date|time|price|cost|key|name|priority|segment|mode|status|flag|balance|bal|qty|type)$/i;

function splitCompound(name: string): string {
  const parts = TAILS.exec(name);
  return parts && !name.includes("_") ? `${parts[1]}_${parts[2]}` : name;
}

/** The column that names a row to people; undefined where none does. */
export function displayColumn(table: SemanticTable): SemanticColumn | undefined {
  const texts = table.columns.filter((column) => column.type === "STRING" && !isKey(table, column));
  return texts.find((column) => /^(name|title|label)$|name$|title$/i.test(columnLabel(table, column))) ?? undefined;
}

const PEOPLE = /\b(customer|client|user|buyer|person|people|employee|member|shopper|patient|student)/i;

/** Whether a table's rows are people, by its name or its synonyms. */
export function isAboutPeople(table: SemanticTable): boolean {
  return PEOPLE.test(`${tableLabel(table)} ${table.synonyms.join(" ")}`);
}

/** The columns of time in the order of the table. */
export function timeColumns(table: SemanticTable): readonly SemanticColumn[] {
  return table.columns.filter(isTemporal);
}

/** The price column; undefined where there is none. */
export function priceColumn({ columns }: SemanticTable): SemanticColumn | undefined {
  return columns.find((column) => isNumeric(column) && /price|cost/i.test(column.name));
}

/** The stem of a verb form: "shipped" and "shipping" give "ship", "delivered" gives "deliver". */
export function verbOf(word: string): string {
  const cut = word.replace(/(ed|ing)$/, "");
  if (cut === word || cut.length < 3) return word;
  return /([bdgklmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}
