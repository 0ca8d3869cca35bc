import { type SemanticColumn, type SemanticTable, tokenize } from "#analytics";
import { nonEmptyFields } from "#base";
import type { Constituent } from "../constituents/constituent.ts";
import { isStopWord } from "../constituents/keywords.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { isKey, isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, displayColumn, tableLabel, timeColumns } from "../lexicon/names.ts";
import { addColumn } from "./grouping.ts";
import type { SemanticParse } from "./semantic-parse.ts";

/** Values that are also common words. */
const EVERYDAY = /^(new|old|active|open|first|regular|high|low|other|current|recent)$/i;

/** "in Leeds", "not delivered": rows with the value; several of one column are alternatives. `text`: as written. */
export function applyValue(
  parse: SemanticParse,
  { table, column, value }: Extract<Meaning, { kind: "value" }>,
  text: string,
): void {
  const { draft, warnings } = parse;
  const { negated, group } = parse.pending;
  const identifying = group ? keyNamedAs(text, table) : undefined;
  // "employees by manager", where manager is a level, too.
  if (identifying && text !== value) {
    addColumn(parse, { table, column: identifying });
    warnings.push(
      `“${text}” is read as ${columnLabel(table, identifying)}; it could also be the ${columnLabel(table, column)} ${value}.`,
    );
    parse.pending = { ...parse.pending, group: false };
    return;
  }
  warnOfOtherStates(parse, { table, column }, value);
  parse.cues.openNegation = false;
  if (isUncertain(parse, { table, value }, text)) {
    warnings.push(
      `“${value.toLowerCase()}” is read as the ${columnLabel(table, column)} ${value} of ${tableLabel(table)}.`,
    );
  }
  const same = draft.filters.findIndex(
    (filter) => filter.kind === "values" && filter.column === column && filter.negated === negated,
  );
  const known = draft.filters[same];
  if (known?.kind === "values") draft.filters[same] = { ...known, values: [...known.values, value] };
  else {
    const never = negated && parse.cues.never;
    draft.filters.push({ kind: "values", table, column, values: [value], negated, ...nonEmptyFields({ never }) });
  }
  parse.pending = { ...parse.pending, group: false };
}

/** Whether a word may be none of the value: a common one, a verb of the rows, or of what is measured, where others have the state. */
function isUncertain(
  { draft }: SemanticParse,
  { table, value }: { readonly table: SemanticTable; readonly value: string },
  text: string,
): boolean {
  const measure = draft.measures.at(-1);
  const isOfOthers = measure?.kind === "aggregate" && measure.table !== table && /(ed|id)$/.test(value);
  const isWord = EVERYDAY.test(value) || isVerb(value, table) || isStopWord(text.toLowerCase()) || isOfOthers;
  return isWord && text !== value;
}

/** "unpaid" invoices may be cancelled ones. */
function warnOfOtherStates(
  { constituents, warnings }: SemanticParse,
  { table, column }: ColumnRef,
  value: string,
): void {
  const isDenied = constituents.some((one, at) => {
    const next = constituents[at + 1];
    return (
      one.kind === "not" &&
      one.prefix &&
      next?.kind === "ref" &&
      next.meanings.some((meaning) => meaning.kind === "value" && meaning.value === value)
    );
  });
  const others = (column.values ?? []).filter((one) => one !== value);
  if (isDenied)
    warnings.push(
      `“un${value.toLowerCase()}” is read as any other ${columnLabel(table, column)}: ${others.join(", ")}.`,
    );
}

/** "manager" for manager_id: what rows are grouped by whose table is not among the data. */
function keyNamedAs(text: string, table: SemanticTable): SemanticColumn | undefined {
  const words = tokenize(text)
    .map((token) => token.stem)
    .join(" ");
  return table.columns.find((column) => {
    const names = tokenize(columnLabel(table, column)).map((token) => token.stem);
    return isKey(table, column) && names.length > 1 && names.slice(0, -1).join(" ") === words;
  });
}

/** "ship" is a mode of shipment and also the verb of a time column. */
function isVerb(value: string, table: SemanticTable): boolean {
  const word = value.toLowerCase();
  return !/ed$/.test(word) && timeColumns(table).some((column) => columnLabel(table, column).split(" ")[0] === word);
}

/** A quoted text filters the column before it, or the display column of the table before it; behind "=" it is the whole value. */
export function applyQuotedText(parse: SemanticParse, text: string, at: number): void {
  const { draft, last, pending, cues, unknown, constituents } = parse;
  const ref = textsOf(last);
  const isWhole = constituents[at - 1]?.kind === "equality";
  if (!ref || (isWhole && ref.column.type !== "STRING")) {
    unknown.push(isWhole ? `= “${text}”` : `“${text}”`);
    return;
  }
  if (isWhole) {
    applyValue(parse, { kind: "value", ...ref, value: storedValue(ref, text) }, text);
    return;
  }
  cues.openNegation = false;
  draft.filters.push({ kind: "contains", ...ref, text, negated: pending.negated });
}

/** A text as the column spells it, where that is known. */
function storedValue({ column: { values = [], found = [] } }: ColumnRef, text: string): string {
  const known = [...values, ...found];
  return (
    known.find((value) => value === text) ?? known.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text
  );
}

function textsOf(last: Meaning | undefined): ColumnRef | undefined {
  if (!last) return undefined;
  if (last.kind === "column") return { table: last.table, column: last.column };
  const column = displayColumn(last.table);
  return column && { table: last.table, column };
}

/** "order 1207", "store 5": a number after a table is its key, after a column of numbers its value. */
export function applyNumber(
  { draft, last, unknown, refusals, constituents, subjects }: SemanticParse,
  { value, text }: Extract<Constituent, { kind: "number" }>,
  at: number,
): void {
  const column = last && numbersOf(last);
  const next = constituents[at + 1];
  const other =
    next?.kind === "ref" && next.meanings.find((meaning) => meaning.kind === "column" && isNumeric(meaning.column));
  const before = constituents.slice(0, at).findLast(({ kind }) => kind !== "follow-up")?.kind;
  // "cost in the last 3 days and the 3 days before" has no cost of 3.
  if (before === "period" || next?.kind === "shift") {
    unknown.push(text);
    return;
  }
  if (constituents[at - 1]?.kind === "unknown") {
    refusals.push(`I do not know which number “${text}” is about.`);
    return;
  }
  if (last?.kind === "column" && column && other && other.kind === "column" && other.column !== column) {
    const [one, two] = [columnLabel(last.table, column), columnLabel(other.table, other.column)];
    refusals.push(`“${text}” may be of ${one} or of ${two}. Say “with ${two} of ${text}” or “with ${one} of ${text}”.`);
    return;
  }
  const near = last?.kind === "table" ? numberNamedAs(last.table, subjects) : undefined;
  if (last && near) {
    refusals.push(
      `“${text}” may be of ${near} or the ${tableLabel(last.table)} with that key. Say “with ${near} ${text}” or “with key ${text}”.`,
    );
    return;
  }
  const said = draft.filters.find(
    (filter) => filter.kind === "compare" && filter.comparison === "=" && filter.column === column,
  );
  if (last && column && said?.kind === "compare" && said.value !== value) {
    refusals.push(
      `${columnLabel(last.table, column)} cannot be ${said.value} and ${text} at once; ask for each of them.`,
    );
    return;
  }
  if (last && column) draft.filters.push({ kind: "compare", table: last.table, column, comparison: "=", value });
  else unknown.push(text);
}

/** "students in grade 9", where students have a grade level and there are grades, too. */
function numberNamedAs(named: SemanticTable, subjects: readonly SemanticTable[]): string | undefined {
  const word = tokenize(tableLabel(named)).at(-1)?.stem ?? "";
  const labels = subjects
    .filter((table) => table !== named)
    .flatMap((table) =>
      table.columns.filter((one) => isNumeric(one) && !isKey(table, one)).map((one) => columnLabel(table, one)),
    );
  return labels.find((label) => tokenize(label).some(({ stem }) => stem === word));
}

function numbersOf(last: Meaning) {
  if (last.kind === "column") return isNumeric(last.column) ? last.column : undefined;
  if (last.kind !== "table") return undefined;
  const [key] = last.table.schema.primaryKey ?? [];
  return last.table.columns.find(({ name }) => name === key);
}
