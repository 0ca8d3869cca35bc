import type { SemanticTable } from "#analytics";
import type { AggregateFunction } from "../constituents/constituent.ts";
import { isKey, isNumeric } from "../lexicon/meaning.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { ColumnRef } from "../query/semantic-query.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** "average quantity per order": the total of an order, averaged over orders. */
export function averageOfTotals({ draft, model, pending }: SemanticParse, per: SemanticTable): void {
  const measure = draft.measures.at(-1);
  if (measure?.kind !== "aggregate" || measure.fn !== "avg" || defaultAggregate(measure) !== "sum") return;
  if (measure.table === per || !joinsOf(model).path(measure.table, per, new Set())) return;
  draft.measures[draft.measures.length - 1] = { ...measure, fn: "sum" };
  pending.aggregate = "avg";
}

/** "average revenue per order": the last measure is divided by the number of rows. */
export function applyRatio(parse: SemanticParse, per: SemanticTable): void {
  parse.cues.openAverage = false;
  const of = parse.draft.measures.pop();
  if (of) parse.draft.measures.push({ kind: "ratio", of, per });
  parse.pending = nothingPending();
}

/** The aggregate of a column without one: the mean of prices, rates, ages and scores, the sum of everything else. */
function defaultAggregate({ column }: ColumnRef): AggregateFunction {
  if (/total|extended|amount|gross|net|sum/i.test(column.name)) return "sum";
  return /(price|rate|ratio|age|score|percent|temperature|rating|avg|average|margin_pct|duration|days)$/i.test(
    column.name,
  )
    ? "avg"
    : "sum";
}

/** Adds a measure over a column, with the aggregate in the question or the default one; texts and keys are counted. */
export function measureColumn(parse: SemanticParse, { table, column }: ColumnRef): void {
  const { aggregate, count, which } = parse.pending;
  const fn = aggregate ?? consumeExtreme(parse) ?? (count ? "distinct" : defaultAggregate({ table, column }));
  const numeric = isNumeric(column) && !isKey(table, column);
  const known = numeric || fn === "min" || fn === "max" ? fn : "distinct";
  parse.draft.measures.push({ kind: "aggregate", fn: known, table, column });
  parse.pending = { ...nothingPending(), aggregate: aggregate === "avg" && !numeric ? aggregate : undefined, which };
}

/** "lowest balance by segment" is a minimum; "which customer has the lowest balance" is a ranking. */
function consumeExtreme({ draft, pending }: SemanticParse): "min" | "max" | undefined {
  const { top, dimensions } = draft;
  if (!pending.top || !top || top.count !== undefined || pending.which || dimensions.length > 0) return undefined;
  delete draft.top;
  return top.direction === "most" ? "max" : "min";
}
