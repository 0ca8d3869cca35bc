import type { Described, Dimension, NamedFilter } from "../model/model.ts";

/** A condition over the columns of one dataset as a dimension that nobody sees, and a filter by that. */
export function namedCondition(
  dataset: string,
  name: string,
  expr: string,
  described: Described,
): { readonly dimension: Dimension; readonly filter: NamedFilter } {
  const own = `is_${name}`;
  return {
    dimension: { name: own, type: "boolean", expr, hidden: true },
    filter: { name, ...described, expr: `\${${dataset}.${own}} = TRUE` },
  };
}

/** The time of a dataset that has one. */
export function onlyTime(dimensions: readonly Dimension[]): { readonly timeDimension?: string } {
  const times = dimensions.filter(({ type, hidden }) => !hidden && (type === "date" || type === "timestamp"));
  const [time] = times;
  return times.length === 1 && time ? { timeDimension: time.name } : {};
}
