import type { Constituent } from "../constituents/constituent.ts";
import { isKey, isNumeric, isTemporal } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import { applyTimeColumn } from "./apply-time.ts";
import { addColumn, completeRanking } from "./grouping.ts";
import { measureColumn } from "./measures.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** Most values of a column of numbers that is still a way to group: a rating, a size. */
const FEW_VALUES = 12;

/** "average price" measures, "by channel" groups, "how many cities" counts, "price over 50" waits for its bound. */
export function applyColumn(parse: SemanticParse, ref: ColumnRef, plural: boolean, at: number): void {
  const { pending } = parse;
  const next = parse.constituents[at + 1];
  if (isTemporal(ref.column)) applyTimeColumn(parse, ref);
  else if (isBound(next, ref) || isSaidAlready(parse, ref)) return;
  else if (pending.group && pending.aggregate === "avg" && !isNumeric(ref.column)) groupAverage(parse, ref);
  else if (pending.aggregate || isNumber(parse, ref)) {
    warnBesideCount(parse, ref, at);
    measureColumn(parse, ref);
  } else if (pending.count) countValues(parse, ref);
  else if (!isValueOf(next, ref)) groupByColumn(parse, ref, plural);
}

/** The bound behind a column takes it, and "size 50" is one. */
function isBound(next: Constituent | undefined, { column }: ColumnRef): boolean {
  if (!isNumeric(column)) return false;
  if (next?.kind === "number") return true;
  return next?.kind === "compare" || next?.kind === "between" || next?.kind === "average-bound";
}

/** "a price above the average price", "the Tea category": the word before says it, and nothing asks to group. */
function isSaidAlready({ averaged, beforeLast, pending }: SemanticParse, { column }: ColumnRef): boolean {
  if (averaged?.column === column) return true;
  const { group, which, top, count, aggregate } = pending;
  const isOpen = group || which || top || count || aggregate;
  return beforeLast?.kind === "value" && beforeLast.column === column && !isOpen;
}

/** "number of orders with discount": the column is no choice of orders. */
function warnBesideCount(
  { draft, constituents, pending, warnings }: SemanticParse,
  { table, column }: ColumnRef,
  at: number,
): void {
  const counted = draft.measures.at(-1);
  if (counted?.kind !== "rows" || pending.aggregate || constituents[at - 1]?.kind === "follow-up") return;
  warnings.push(`No ${tableLabel(counted.table)} were chosen by ${columnLabel(table, column)}; it is told beside.`);
}

function groupAverage(parse: SemanticParse, ref: ColumnRef): void {
  addColumn(parse, ref);
  parse.pending = nothingPending();
}

function isNumber({ pending }: SemanticParse, { table, column }: ColumnRef): boolean {
  const isFew = column.values !== undefined && column.values.length <= FEW_VALUES;
  return isNumeric(column) && !isKey(table, column) && !(pending.group && isFew);
}

function countValues(parse: SemanticParse, { table, column }: ColumnRef): void {
  parse.draft.measures.push({ kind: "aggregate", fn: "distinct", table, column });
  parse.pending = nothingPending();
}

/** "status delivered": the value says it. */
function isValueOf(next: Constituent | undefined, { column }: ColumnRef): boolean {
  if (next?.kind === "quoted") return true;
  return next?.kind === "ref" && next.meanings.some((meaning) => meaning.kind === "value" && meaning.column === column);
}

function groupByColumn(parse: SemanticParse, ref: ColumnRef, plural: boolean): void {
  const { top, group } = parse.pending;
  addColumn(parse, ref);
  if (top) completeRanking(parse, plural);
  parse.pending = { ...nothingPending(), top: top && !group };
}
