import type { SemanticTable } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import type { Grain } from "../time/period.ts";
import type { Draft, SemanticParse } from "./semantic-parse.ts";

/** Groups by a unit of the calendar, as the first dimension; there is at most one. */
export function addGrain(parse: SemanticParse, grain: Grain): void {
  const { draft } = parse;
  draft.dimensions = draft.dimensions.filter(({ kind }) => kind !== "time");
  draft.dimensions.unshift({ kind: "time", grain });
  parse.pending = { ...parse.pending, group: false };
}

/** Groups by the rows of a table, once. */
export function addEntity({ draft }: SemanticParse, table: SemanticTable): void {
  if (!isGroupedBy(draft, table)) draft.dimensions.push({ kind: "entity", table });
}

/** Groups by a column, once. */
export function addColumn({ draft }: SemanticParse, { table, column }: ColumnRef): void {
  if (draft.dimensions.some((one) => one.kind === "column" && one.column === column)) return;
  draft.dimensions.push({ kind: "column", table, column });
}

/** Whether the rows of a table are a dimension already. */
export function isGroupedBy({ dimensions }: Draft, table: SemanticTable): boolean {
  return dimensions.some((one) => one.kind === "entity" && one.table === table);
}

/** The size of a ranking of several without a number. */
const SEVERAL = 10;

/** "top 5", "highest", "cheapest": keeps an earlier number. */
export function applyRanking(
  { draft, cues, pending }: SemanticParse,
  { count, direction, by, text = "" }: Extract<Constituent, { kind: "top" }>,
): void {
  if (by !== undefined && by !== "rows") cues.rankedBy = { attribute: by, text };
  cues.rankedByRows ||= by === "rows";
  draft.top = { count: count ?? draft.top?.count, direction };
  pending.top = true;
}

/** Completes a ranking without a number: "best products" are several, "best product" is one. */
export function completeRanking({ draft }: SemanticParse, plural: boolean): void {
  const { top } = draft;
  if (top && top.count === undefined) draft.top = { count: plural ? SEVERAL : 1, direction: top.direction };
}
