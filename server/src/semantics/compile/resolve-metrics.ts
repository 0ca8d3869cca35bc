import { definedFields } from "#base";
import { safeArithmetic } from "../expression/arithmetic.ts";
import { type FoundMeasure, findMeasure, findMetric } from "../model/find.ts";
import type { Metric, MetricInput, TimeSpan, TimeUnit } from "../model/model.ts";
import type { CompileContext } from "./joined-rows.ts";

/** Rows of other times than those of their group. */
export type TimeShift =
  | { readonly kind: "cumulative"; readonly window?: TimeSpan; readonly toDate?: TimeUnit }
  | { readonly kind: "offset"; readonly span: TimeSpan }
  | { readonly kind: "offset-to"; readonly unit: TimeUnit };

/** A measure with everything that decides which rows it aggregates. */
export interface Leaf extends FoundMeasure {
  /** Its column. */
  readonly column: string;
  readonly filters: readonly string[];
  readonly shift?: TimeShift;
  /** The metric that needs it, for faults. */
  readonly metric: string;
}

/** What inputs inherit from the metrics that are made of them. */
interface Inherited {
  readonly filters: readonly string[];
  readonly shift?: TimeShift;
}

/** The measures of metrics, and each metric as an expression over their columns. */
export function resolveMetrics(names: readonly string[], context: CompileContext) {
  const leaves = new Map<string, Leaf>();
  const sqlOf = (name: string, inherited: Inherited): string => {
    const metric = findMetric(context.model, name);
    if (metric) return metricSql(metric, inherited, { ...context, leaves, sqlOf });
    context.fault(`metric ${name} does not exist`);
    return "NULL";
  };
  const expressions = names.map((name) => sqlOf(name, { filters: [] }));
  return { leaves: [...leaves.values()], expressions };
}

interface Resolving extends CompileContext {
  readonly leaves: Map<string, Leaf>;
  readonly sqlOf: (name: string, inherited: Inherited) => string;
}

function metricSql(metric: Metric, inherited: Inherited, resolving: Resolving): string {
  const own = { ...inherited, filters: [...inherited.filters, ...(metric.filter ?? [])] };
  const { dialect, sqlOf } = resolving;
  switch (metric.kind) {
    case "simple":
      return filled(leafSql(metric.name, metric.measure, own, resolving), metric.fill);
    case "cumulative":
      return filled(leafSql(metric.name, metric.measure, accumulated(metric, own, resolving), resolving), metric.fill);
    case "ratio": {
      const [above, below] = [metric.numerator, metric.denominator].map((input) =>
        sqlOf(input.metric, ofInput(input, metric, own, resolving)),
      );
      return dialect.ratio(`(${above})`, `(${below})`);
    }
    case "derived": {
      const values = new Map(
        metric.inputs.map((input) => [
          input.alias ?? input.metric,
          dialect.exact(`(${sqlOf(input.metric, ofInput(input, metric, own, resolving))})`),
        ]),
      );
      return `(${safeArithmetic(metric.expression, (name) => values.get(name))})`;
    }
  }
}

function filled(sql: string, fill: number | undefined): string {
  return fill === undefined ? sql : `COALESCE(${sql}, ${fill})`;
}

function leafSql(metric: string, reference: string, own: Inherited, { model, leaves, fault }: Resolving): string {
  const found = findMeasure(model, reference);
  if (!found) {
    fault(`measure ${reference} does not exist`);
    return "NULL";
  }
  const key = JSON.stringify([reference, own.filters, own.shift]);
  const leaf = leaves.get(key) ?? { ...found, ...own, metric, column: `m${leaves.size + 1}` };
  leaves.set(key, leaf);
  // A group without rows has a count.
  return isCount(found) ? `COALESCE(${leaf.column}, 0)` : leaf.column;
}

function isCount({ measure: { aggregation } }: FoundMeasure): boolean {
  return aggregation === "count" || aggregation === "count_distinct" || aggregation === "sum_boolean";
}

function accumulated(
  { name, window, toDate }: Extract<Metric, { kind: "cumulative" }>,
  own: Inherited,
  { fault }: Resolving,
): Inherited {
  if (own.shift) fault(`${name} is cumulative, and cannot be offset in another metric`);
  return { ...own, shift: { kind: "cumulative", ...definedFields({ window, toDate }) } };
}

function ofInput(input: MetricInput, { name }: Metric, own: Inherited, { fault }: Resolving): Inherited {
  const shift = shiftOf(input);
  if (shift && own.shift) fault(`${name}: ${input.metric} is offset within a metric that is offset`);
  return {
    filters: [...own.filters, ...(input.filter ?? [])],
    ...((shift ?? own.shift) && { shift: shift ?? own.shift }),
  } as Inherited;
}

function shiftOf({ offset, offsetTo }: MetricInput): TimeShift | undefined {
  if (offset) return { kind: "offset", span: offset };
  return offsetTo && { kind: "offset-to", unit: offsetTo };
}
