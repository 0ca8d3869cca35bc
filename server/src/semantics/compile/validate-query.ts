import { findDimension, findMetric, isTime } from "../model/find.ts";
import { GRAINS, type ModelDefinition } from "../model/model.ts";
import { METRIC_TIME, type ModelQuery } from "../query/model-query.ts";

/** Names of a query that the model does not have, and what is asked of them that they cannot do. */
export function queryFaults(query: ModelQuery, model: ModelDefinition): readonly string[] {
  const { metrics, groupBy, where, filters, having, limit } = query;
  return [
    ...(metrics.length === 0 ? ["a query needs at least one metric"] : []),
    ...having
      .filter(({ metric }) => !metrics.includes(metric))
      .map(({ metric }) => `having: ${metric} is not among the metrics`),
    ...having
      .filter(({ value }) => !Number.isFinite(value))
      .map(({ metric }) => `having: the value for ${metric} is no number`),
    ...filters
      .filter(({ name }) => !model.filters.some((filter) => filter.name === name))
      .map(({ name }) => `filter ${name} does not exist`),
    ...where.flatMap(({ dimension, via }) => referenceFaults(dimension, via, model)),
    ...groupBy.flatMap(({ dimension, grain, via }) => [
      ...referenceFaults(dimension, via, model),
      ...grainFaults(dimension, grain, model),
    ]),
    ...repeatedGroupings(query),
    ...orderFaults(query),
    ...metrics.filter((name) => !findMetric(model, name)).map((name) => `metric ${name} does not exist`),
    ...(new Set(metrics).size < metrics.length ? ["a metric is named twice"] : []),
    ...(limit !== undefined && !(Number.isInteger(limit) && limit > 0) ? ["limit must be a whole number above 0"] : []),
  ];
}

function referenceFaults(reference: string, via: string | undefined, model: ModelDefinition): readonly string[] {
  if (reference === METRIC_TIME) return via === undefined ? [] : [`${METRIC_TIME} takes no via`];
  const found = findDimension(model, reference);
  return [
    ...(found ? [] : [`dimension ${reference} does not exist; dimensions are named dataset.dimension`]),
    ...(via === undefined || model.relationships.some(({ name }) => name === via)
      ? []
      : [`relationship ${via} does not exist`]),
  ];
}

function grainFaults(reference: string, grain: string | undefined, model: ModelDefinition): readonly string[] {
  const dimension = findDimension(model, reference)?.dimension;
  const timed = reference === METRIC_TIME || (dimension && isTime(dimension));
  if (timed && !grain) return [`${reference} is a time; say by which grain (${GRAINS.join(", ")})`];
  if (!grain || !(timed || dimension)) return [];
  if (!timed) return [`${reference} is no time, and has no grain`];
  const at = GRAINS.indexOf(grain as (typeof GRAINS)[number]);
  if (at < 0) return [`${reference}: ${grain} is none of ${GRAINS.join(", ")}`];
  const smallest = dimension?.grain ?? (dimension?.type === "date" ? "day" : "hour");
  if (dimension && at < GRAINS.indexOf(smallest)) return [`${reference} is known by ${smallest}, not by ${grain}`];
  return [];
}

function repeatedGroupings({ groupBy }: ModelQuery): readonly string[] {
  const keys = groupBy.map(({ dimension, grain, via }) => JSON.stringify([dimension, grain, via]));
  return groupBy.flatMap(({ dimension }, at) =>
    keys.indexOf(keys[at] ?? "") < at ? [`${dimension} is grouped by twice`] : [],
  );
}

/** Results are ordered by what they show. */
function orderFaults({ metrics, groupBy, orderBy }: ModelQuery): readonly string[] {
  const known = new Set([...metrics, ...groupBy.map(({ dimension }) => dimension)]);
  return orderBy
    .filter(({ by }) => !known.has(by))
    .map(({ by }) => `order by ${by}: it is neither a metric nor a grouping of the query`);
}
