import type { SemanticTable } from "#analytics";
import { timeColumns } from "../lexicon/table-words.ts";
import { averageOfTotals, takeRatio } from "./averages.ts";
import { addEntity, isGroupedBy } from "./dimensions.ts";
import { nothingPending, type Reading } from "./reading.ts";
import { completeTop } from "./take-top.ts";

/** "how many orders" counts, "by customer" groups, "orders over time" counts, "customers" alone lists. */
export function takeTable(reading: Reading, table: SemanticTable, plural: boolean, at: number): void {
  const { draft, pending, said, subjects } = reading;
  if (!subjects.includes(table)) subjects.push(table);
  if (pending.group && said.per) averageOfTotals(reading, table);
  if (pending.group && said.per && isAverageOf(reading, table)) said.averagedPer = true;
  if (pending.aggregate === "avg" && pending.group && draft.measures.length > 0) takeRatio(reading, table);
  else if (reading.moment) takeMoment(reading, table, reading.moment);
  else if (isCounted(reading)) countRows(reading, table);
  else if (pending.group && qualifiesNext(reading, table, at)) return;
  else if (isGroup(reading, table, at)) groupByRows(reading, table, plural);
  else if (pending.top) draft.measures.push({ kind: "rows", table });
}

function isAverageOf({ draft }: Reading, table: SemanticTable): boolean {
  const measure = draft.measures.at(-1);
  return measure?.kind === "aggregate" && measure.fn === "avg" && measure.table === table;
}

/** "when was the first order": the first of the table's times. */
function takeMoment(reading: Reading, table: SemanticTable, fn: "min" | "max"): void {
  const [column] = timeColumns(table);
  if (column) reading.draft.measures.push({ kind: "aggregate", fn, table, column });
  reading.moment = undefined;
  reading.pending = nothingPending();
}

function isCounted({ draft, pending: { count, aggregate } }: Reading): boolean {
  const isShared = draft.share && draft.measures.length === 0;
  return count || isShared || aggregate === "distinct" || aggregate === "sum";
}

function countRows(reading: Reading, table: SemanticTable): void {
  const { aggregate } = reading.pending;
  reading.draft.measures.push({ kind: "rows", table });
  reading.pending = { ...nothingPending(), aggregate: aggregate === "avg" ? aggregate : undefined };
  if (aggregate === "avg") reading.said.openAverage = true;
  if (aggregate === "distinct") reading.said.distinct = true;
}

/** "by supplier nation": the suppliers only say whose nation. */
function qualifiesNext({ items }: Reading, table: SemanticTable, at: number): boolean {
  const next = items[at + 1];
  return (
    next?.kind === "ref" &&
    !next.of &&
    next.meanings.some((meaning) => meaning.kind === "table" && meaning.table !== table)
  );
}

function isGroup(reading: Reading, table: SemanticTable, at: number): boolean {
  const { group, which, top } = reading.pending;
  return group || which || (top && !isMeasuredBy(reading, table, at));
}

/** "which customer has the most orders": what stands after the most is counted when something else is asked for by name. */
function isMeasuredBy({ draft, items }: Reading, table: SemanticTable, at: number): boolean {
  return draft.dimensions.length > 0 && !isGroupedBy(draft, table) && items[at + 1]?.kind !== "group";
}

function groupByRows(reading: Reading, table: SemanticTable, plural: boolean): void {
  const { draft, said } = reading;
  const { group, which, top } = reading.pending;
  addEntity(reading, table);
  if (top) completeTop(reading, plural);
  if (which && !plural && !draft.top) said.singular = true;
  said.several ||= which && plural;
  reading.pending = { ...nothingPending(), top: top && !group };
}
