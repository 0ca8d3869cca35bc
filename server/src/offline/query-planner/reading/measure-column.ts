import { isKey, isNumeric } from "../lexicon/meaning.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import { defaultAggregate } from "./averages.ts";
import { nothingPending, type Reading } from "./reading.ts";

/** A number over a column, by the aggregate that was said or by the usual one; texts and keys are counted. */
export function measureColumn(reading: Reading, { table, column }: ColumnRef): void {
  const { aggregate, count, which } = reading.pending;
  const fn = aggregate ?? takeExtreme(reading) ?? (count ? "distinct" : defaultAggregate({ table, column }));
  const numeric = isNumeric(column) && !isKey(table, column);
  const known = numeric || fn === "min" || fn === "max" ? fn : "distinct";
  reading.draft.measures.push({ kind: "aggregate", fn: known, table, column });
  reading.pending = { ...nothingPending(), aggregate: aggregate === "avg" && !numeric ? aggregate : undefined, which };
}

/** "lowest balance by segment" is about the least of a column; "which customer has the lowest balance" is about a customer. */
function takeExtreme({ draft, pending }: Reading): "min" | "max" | undefined {
  const { top, dimensions } = draft;
  if (!pending.top || !top || top.count !== undefined || pending.which || dimensions.length > 0) return undefined;
  delete draft.top;
  return top.direction === "most" ? "max" : "min";
}
