import { findDimension, findMetric, splitName } from "../model/find.ts";
import type { Described, ModelDefinition } from "../model/model.ts";
import { type DimensionCondition, METRIC_TIME, type ModelQuery } from "./model-query.ts";

/** A query in words: "revenue by month and region, where region is North, without refunds, highest first, first 5" (SEM-6). */
export function describeQuery(query: ModelQuery, model: ModelDefinition): string {
  const { metrics, groupBy, where, filters, having, orderBy, limit } = query;
  const groups = groupBy.map((grouping) => {
    const way = grouping.via ? ` (by ${grouping.via})` : "";
    if (grouping.dimension === METRIC_TIME) return `${grouping.grain}`;
    const name = dimensionLabel(grouping.dimension, model);
    return `${grouping.grain ? `${grouping.grain} of ${name}` : name}${way}`;
  });
  const order = orderBy.map(({ by, descending }) => `${descending ? "highest" : "lowest"} ${labelOf(by, model)} first`);
  return [
    joined(metrics.map((name) => labelOf(name, model))) + (groups.length > 0 ? ` by ${joined(groups)}` : ""),
    ...periodsOf(where, model),
    ...filters.map(({ name, negated }) => `${negated ? "without" : "only"} ${filterLabel(name, model)}`),
    ...having.map(({ metric, operator, value }) => `where ${labelOf(metric, model)} ${operator} ${value}`),
    ...order,
    ...(limit === undefined ? [] : [`first ${limit}`]),
  ].join(", ");
}

const WORDS: Readonly<Record<string, string>> = {
  "=": "is",
  "!=": "is not",
  in: "is one of",
  "not in": "is none of",
  "is null": "has no value",
  "is not null": "has a value",
};

/** A begin and an end of the same time are one period. */
function periodsOf(where: readonly DimensionCondition[], model: ModelDefinition): readonly string[] {
  const used = new Set<DimensionCondition>();
  return where.flatMap((condition) => {
    if (used.has(condition)) return [];
    const end = where.find(
      (other) =>
        condition.operator === ">=" &&
        other.operator === "<" &&
        other.dimension === condition.dimension &&
        !used.has(other),
    );
    if (end && isDay(condition) && isDay(end)) {
      used.add(end);
      const of = condition.dimension === METRIC_TIME ? "" : `${dimensionLabel(condition.dimension, model)} `;
      return [`${of}from ${condition.values[0]} until before ${end.values[0]}`];
    }
    const name = condition.dimension === METRIC_TIME ? "time" : dimensionLabel(condition.dimension, model);
    const way = condition.via ? ` (by ${condition.via})` : "";
    const values = condition.values.length > 0 ? ` ${condition.values.join(", ")}` : "";
    return [`where ${name}${way} ${WORDS[condition.operator] ?? condition.operator}${values}`];
  });
}

function isDay({ values }: DimensionCondition): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(String(values[0]));
}

function dimensionLabel(reference: string, model: ModelDefinition): string {
  const [dataset, name] = splitName(reference);
  const twice = model.datasets.filter(({ dimensions }) => dimensions.some((one) => one.name === name)).length > 1;
  const label = nameOf(findDimension(model, reference)?.dimension ?? { name });
  return twice ? `${dataset.replaceAll("_", " ")} ${label}` : label;
}

function labelOf(name: string, model: ModelDefinition): string {
  const metric = findMetric(model, name);
  return metric ? nameOf(metric) : dimensionLabel(name, model);
}

function filterLabel(name: string, { filters }: ModelDefinition): string {
  return nameOf(filters.find((filter) => filter.name === name) ?? { name });
}

function nameOf({ name, label }: Described & { readonly name: string }): string {
  return (label ?? name).replaceAll("_", " ");
}

function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
