import type { SemanticTable } from "#analytics";
import { usualFact } from "../existence/fact.ts";
import { isNumeric } from "../lexicon/meaning.ts";
import { priceOf } from "../lexicon/table-words.ts";
import type { Item } from "../parse/item.ts";
import type { ColumnRef, Filter } from "../query/semantic-query.ts";
import { addEntity } from "./dimensions.ts";
import { nothingPending, type Reading } from "./reading.ts";

/** A number that something is compared with. */
export type Bound = Extract<Item, { kind: "compare" | "between" }>;

/** "price over 50", "customers with more than 5 orders", "revenue above 1000 by store". */
export function takeBound(reading: Reading, bound: Bound, at: number): void {
  const { last } = reading;
  if (bound.kind === "compare" && bound.times) boundTimes(reading, bound);
  else if (bound.kind === "compare" && bound.price) boundPrice(reading, bound);
  else if (last?.kind === "column" && isNumeric(last.column)) boundColumn(reading, bound, last);
  else if (bound.kind === "between") reading.unknown.push(`between ${bound.low} and ${bound.high}`);
  else if (last?.kind === "table" && isAskedFor(reading, last.table, isCounted(reading.items[at + 1])))
    reading.unknown.push(`${bound.comparison} ${bound.value}`);
  else if (last?.kind === "table" && isCounted(reading.items[at + 1])) boundGroups(reading, bound, last.table);
  else if (last?.kind === "table" && isTotalOf(reading, last.table)) boundRows(reading, bound);
  else boundMeasure(reading, bound);
}

function isCounted(next: Item | undefined): boolean {
  return next?.kind === "ref" && next.meanings.some(({ kind }) => kind === "table" || kind === "measure");
}

/** "how many orders over 5": the number that is asked for is not the one that is bound; nor is it that of other things. */
function isAskedFor({ draft, items, said }: Reading, table: SemanticTable, counted: boolean): boolean {
  const measure = draft.measures.at(-1);
  if (said.money || measure?.kind !== "rows" || !items.some((item) => item.kind === "count" && item.asks)) return false;
  return (measure.table === table) !== counted;
}

/** "total order value for orders over 400": the rows themselves are bound, by what is added up. */
function isTotalOf({ draft }: Reading, table: SemanticTable): boolean {
  const measure = draft.measures.at(-1);
  return measure?.kind === "aggregate" && measure.table === table && measure.fn !== "distinct";
}

function boundRows({ draft }: Reading, bound: Bound): void {
  const measure = draft.measures.at(-1);
  if (measure?.kind !== "aggregate") return;
  const { table, column } = measure;
  draft.filters.push(boundFilter(bound, { table, column }));
}

function boundColumn(reading: Reading, bound: Bound, { table, column }: ColumnRef): void {
  const { measures, filters } = reading.draft;
  const measured = measures.at(-1);
  if (reading.pending.count && !measured) {
    measures.push({ kind: "rows", table }); // "how many products cost more than 100"
    reading.pending = nothingPending();
  }
  if (measured?.kind === "aggregate" && measured.column === column) measures.pop();
  filters.push(boundFilter(bound, { table, column }));
}

function boundFilter(bound: Bound, ref: ColumnRef): Filter {
  return bound.kind === "compare"
    ? { kind: "compare", ...ref, comparison: bound.comparison, value: bound.value }
    : { kind: "between", ...ref, low: bound.low, high: bound.high };
}

/** "revenue above 1000": the last number, in each group. */
function boundMeasure({ draft, unknown }: Reading, { comparison, value }: Extract<Bound, { kind: "compare" }>): void {
  const measure = draft.measures.at(-1);
  if (measure) draft.having.push({ measure, comparison, value });
  else unknown.push(`${comparison} ${value}`);
}

/** "products cheaper than 10": their price. */
function boundPrice(reading: Reading, bound: Extract<Bound, { kind: "compare" }>): void {
  const table = reading.subjects.at(-1) ?? reading.last?.table;
  const column = table && priceOf(table);
  if (table && column) boundColumn(reading, bound, { table, column });
  else reading.unknown.push(`${bound.comparison} ${bound.value}`);
}

/** "customers who ordered at least 10 times": how often what usually happens to them did. */
function boundTimes(reading: Reading, bound: Extract<Bound, { kind: "compare" }>): void {
  const subject = reading.subjects.at(-1);
  const fact = subject && usualFact(subject, reading.model);
  if (!subject || !fact) {
    reading.unknown.push(`${bound.comparison} ${bound.value} times`);
    return;
  }
  boundGroups(reading, bound, subject);
  reading.draft.measures.push({ kind: "rows", table: fact });
  reading.pending = nothingPending();
}

/** The groups are the table before the bound; what is counted stands after it. */
function boundGroups(reading: Reading, bound: Extract<Bound, { kind: "compare" }>, table: SemanticTable): void {
  const { draft } = reading;
  const last = draft.measures.at(-1);
  const counts = last?.kind === "rows" && last.table === table;
  if (counts) draft.measures.pop();
  addEntity(reading, table);
  draft.countGroups ||= counts;
  reading.bound = bound;
  reading.pending = { ...nothingPending(), count: true };
}
