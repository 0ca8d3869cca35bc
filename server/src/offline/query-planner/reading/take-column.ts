import { isKey, isNumeric, isTemporal } from "../lexicon/meaning.ts";
import { spokenName, spokenTable } from "../lexicon/table-words.ts";
import type { Item } from "../parse/item.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import { addColumn } from "./dimensions.ts";
import { measureColumn } from "./measure-column.ts";
import { nothingPending, type Reading } from "./reading.ts";
import { takeTimeColumn } from "./take-time.ts";
import { completeTop } from "./take-top.ts";

/** Most values of a column of numbers that is still a way to group: a rating, a size. */
const FEW_VALUES = 12;

/** "average price" measures, "by channel" groups, "how many cities" counts, "price over 50" waits for its bound. */
export function takeColumn(reading: Reading, ref: ColumnRef, plural: boolean, at: number): void {
  const { pending } = reading;
  const next = reading.items[at + 1];
  if (isTemporal(ref.column)) takeTimeColumn(reading, ref);
  else if (isBound(next, ref) || isSaidAlready(reading, ref)) return;
  else if (pending.group && pending.aggregate === "avg" && !isNumeric(ref.column)) groupAverage(reading, ref);
  else if (pending.aggregate || isNumber(reading, ref)) {
    tellBesideCount(reading, ref, at);
    measureColumn(reading, ref);
  } else if (pending.count) countValues(reading, ref);
  else if (!isValueOf(next, ref)) groupByColumn(reading, ref, plural);
}

/** The bound behind a column takes it, and "size 50" is one. */
function isBound(next: Item | undefined, { column }: ColumnRef): boolean {
  if (!isNumeric(column)) return false;
  if (next?.kind === "number") return true;
  return next?.kind === "compare" || next?.kind === "between" || next?.kind === "average-bound";
}

/** "a price above the average price", "the Tea category": the word before says it, and nothing asks to group. */
function isSaidAlready({ averaged, beforeLast, pending }: Reading, { column }: ColumnRef): boolean {
  if (averaged?.column === column) return true;
  const { group, which, top, count, aggregate } = pending;
  const isOpen = group || which || top || count || aggregate;
  return beforeLast?.kind === "value" && beforeLast.column === column && !isOpen;
}

/** "number of orders with discount": the column is no choice of orders. */
function tellBesideCount({ draft, items, pending, warnings }: Reading, { table, column }: ColumnRef, at: number): void {
  const counted = draft.measures.at(-1);
  if (counted?.kind !== "rows" || pending.aggregate || items[at - 1]?.kind === "follow-up") return;
  warnings.push(`No ${spokenTable(counted.table)} were chosen by ${spokenName(table, column)}; it is told beside.`);
}

function groupAverage(reading: Reading, ref: ColumnRef): void {
  addColumn(reading, ref);
  reading.pending = nothingPending();
}

function isNumber({ pending }: Reading, { table, column }: ColumnRef): boolean {
  const isFew = column.values !== undefined && column.values.length <= FEW_VALUES;
  return isNumeric(column) && !isKey(table, column) && !(pending.group && isFew);
}

function countValues(reading: Reading, { table, column }: ColumnRef): void {
  reading.draft.measures.push({ kind: "aggregate", fn: "distinct", table, column });
  reading.pending = nothingPending();
}

/** "status delivered": the value says it. */
function isValueOf(next: Item | undefined, { column }: ColumnRef): boolean {
  if (next?.kind === "quoted") return true;
  return next?.kind === "ref" && next.meanings.some((meaning) => meaning.kind === "value" && meaning.column === column);
}

function groupByColumn(reading: Reading, ref: ColumnRef, plural: boolean): void {
  const { top, group } = reading.pending;
  addColumn(reading, ref);
  if (top) completeTop(reading, plural);
  reading.pending = { ...nothingPending(), top: top && !group };
}
