import { nonEmptyFields } from "#base";
import { cutAggregates } from "../expression/aggregates.ts";
import type { Described, Measure, Metric } from "../model/model.ts";

/** A metric that its product writes as an expression. */
interface WrittenMetric extends Described {
  readonly name: string;
  /** With names of other metrics as they are called in our model. */
  readonly expr: string;
  readonly hidden?: boolean;
  readonly isMetric: (name: string) => boolean;
  /** What an aggregate is computed over; undefined where that is not one dataset. */
  readonly measured: (expr: string | undefined) => { readonly dataset: string; readonly expr?: string } | undefined;
}

/** A metric, those that only serve it, and their measures by dataset. */
export interface MetricParts {
  readonly metrics: readonly Metric[];
  readonly measures: readonly { readonly dataset: string; readonly measure: Measure }[];
}

/** Measures of metrics, by dataset. */
export function measuresByDataset(measures: MetricParts["measures"]): ReadonlyMap<string, readonly Measure[]> {
  const groups = Map.groupBy(measures, ({ dataset }) => dataset);
  return new Map([...groups].map(([dataset, group]) => [dataset, group.map(({ measure }) => measure)]));
}

/** Cuts the expression of a metric; undefined where it is more than arithmetic over known aggregates and metrics. */
export function expressionMetric(written: WrittenMetric): MetricParts | undefined {
  const { name, expr, isMetric, measured, hidden, label, description, synonyms } = written;
  const described = {
    ...nonEmptyFields({ label, description, synonyms, hidden }),
  };
  const partName = (at: number) => `${name}_part_${at + 1}`;
  const cut = cutAggregates(expr, partName, isMetric);
  const over = cut?.calls.map((call) => ({ call, found: measured(call.expr) }));
  if (!cut || !over || over.some(({ found }) => !found)) return undefined;
  const single = cut.calls.length === 1 && cut.inputs.length === 0 && cut.expression === partName(0);
  const measures = over.flatMap(({ call, found }, at) => {
    if (!found) return [];
    const own: Measure = {
      name: single ? name : partName(at),
      aggregation: call.aggregation,
      ...(found.expr !== undefined && { expr: found.expr }),
    };
    return [{ dataset: found.dataset, measure: own }];
  });
  const reference = (at: number) => `${measures[at]?.dataset}.${measures[at]?.measure.name}`;
  if (single) return { measures, metrics: [{ name, ...described, kind: "simple", measure: reference(0) }] };
  const parts = measures.map(
    ({ measure }, at): Metric => ({ name: measure.name, kind: "simple", measure: reference(at), hidden: true }),
  );
  const inputs = [...parts.map((part) => ({ metric: part.name })), ...cut.inputs.map((metric) => ({ metric }))];
  return { measures, metrics: [...parts, { name, ...described, kind: "derived", expression: cut.expression, inputs }] };
}
