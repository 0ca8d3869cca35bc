import type { SemanticTable } from "#analytics";
import type { ColumnRef } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";
import type { Draft, Reading } from "./reading.ts";

/** Groups by a unit of the calendar, before all other ways to group; there is one such unit at most. */
export function addGrain(reading: Reading, grain: Grain): void {
  const { draft } = reading;
  draft.dimensions = draft.dimensions.filter(({ kind }) => kind !== "time");
  draft.dimensions.unshift({ kind: "time", grain });
  reading.pending = { ...reading.pending, group: false };
}

/** Groups by the rows of a table, once. */
export function addEntity({ draft }: Reading, table: SemanticTable): void {
  if (!isGroupedBy(draft, table)) draft.dimensions.push({ kind: "entity", table });
}

/** Groups by a column, once. */
export function addColumn({ draft }: Reading, { table, column }: ColumnRef): void {
  if (draft.dimensions.some((one) => one.kind === "column" && one.column === column)) return;
  draft.dimensions.push({ kind: "column", table, column });
}

/** Whether the rows of a table are a way to group already. */
export function isGroupedBy({ dimensions }: Draft, table: SemanticTable): boolean {
  return dimensions.some((one) => one.kind === "entity" && one.table === table);
}
