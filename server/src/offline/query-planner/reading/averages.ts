import type { SemanticTable } from "#analytics";
import type { AggregateFunction } from "../parse/item.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import { nothingPending, type Reading } from "./reading.ts";

/** "average quantity per order": the total of an order, averaged over orders. */
export function averageOfTotals({ draft, model, pending }: Reading, per: SemanticTable): void {
  const measure = draft.measures.at(-1);
  if (measure?.kind !== "aggregate" || measure.fn !== "avg" || defaultAggregate(measure) !== "sum") return;
  if (measure.table === per || !joinsOf(model).path(measure.table, per, new Set())) return;
  draft.measures[draft.measures.length - 1] = { ...measure, fn: "sum" };
  pending.aggregate = "avg";
}

/** "average revenue per order": the last number is divided by how many there are. */
export function takeRatio(reading: Reading, per: SemanticTable): void {
  reading.said.openAverage = false;
  const of = reading.draft.measures.pop();
  if (of) reading.draft.measures.push({ kind: "ratio", of, per });
  reading.pending = nothingPending();
}

/** Prices, rates, ages and scores are averaged, everything else is added up. */
export function defaultAggregate({ column }: ColumnRef): AggregateFunction {
  if (/total|extended|amount|gross|net|sum/i.test(column.name)) return "sum";
  return /(price|rate|ratio|age|score|percent|temperature|rating|avg|average|margin_pct|duration|days)$/i.test(
    column.name,
  )
    ? "avg"
    : "sum";
}
