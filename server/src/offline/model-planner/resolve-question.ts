import type { DefinedModel } from "#analytics";
import {
  type DimensionCondition,
  findDimension,
  findMeasure,
  findMetric,
  type Grouping,
  isTime,
  METRIC_TIME,
  ModelFault,
  type ModelQuery,
  modelQuery,
  splitName,
} from "#semantics";
import { dimensionOf, type Mention, type ReadQuestion } from "./read-question.ts";

/** A question as a query of a model, or why it is none. */
type Resolved = { readonly query: ModelQuery } | { readonly refusal: string };

/** A refusal that ends the resolution. */
class Refusal extends Error {}

/** Makes a query of what was read. `before`: the query of the question before, which a follow-up changes. */
export function resolveQuestion(read: ReadQuestion, before: ModelQuery | undefined, defined: DefinedModel): Resolved {
  try {
    return { query: resolve(read, before, defined) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    if (error instanceof ModelFault)
      return { refusal: `The semantic model cannot answer that: ${error.faults.join("; ")}.` };
    throw error;
  }
}

function resolve(read: ReadQuestion, before: ModelQuery | undefined, defined: DefinedModel): ModelQuery {
  const metrics =
    read.metrics.length > 0
      ? [...new Set(read.metrics.map((mention) => metricOf(mention, defined)))]
      : (before?.metrics ?? []);
  const pick = (mention: Mention, grain?: Grouping["grain"]) => dimensionFor(mention, metrics, grain, defined);
  const conditions = mergedConditions(read, pick);
  const own = groupingsOf(read, pick, defined);
  const isFollowUp = read.metrics.length === 0 && before !== undefined;
  const groupBy = isFollowUp && (read.adds || own.length === 0) ? union(before.groupBy, own) : own;
  const where = [...periodOf(read), ...conditions];
  const kept = isFollowUp
    ? before.where.filter(({ dimension }) => !where.some((one) => one.dimension === dimension))
    : [];
  const query = modelQuery({
    metrics,
    groupBy,
    where: [...kept, ...where],
    filters: [
      ...(isFollowUp ? before.filters.filter(({ name }) => !read.filters.some((one) => one.name === name)) : []),
      ...read.filters,
    ],
    ...ranking(read, metrics, groupBy, isFollowUp ? before : undefined, defined),
  });
  defined.compile(query);
  return query;
}

function union(before: readonly Grouping[], own: readonly Grouping[]): readonly Grouping[] {
  return [...before.filter(({ dimension }) => !own.some((one) => one.dimension === dimension)), ...own];
}

/** The metric of a phrase, if what was said before it fits how it is computed. */
function metricOf({ text, meanings, counted }: Mention, { definition }: DefinedModel): string {
  const names = meanings.flatMap((meaning) => (meaning.kind === "metric" ? [meaning.name] : []));
  const [name = ""] = names;
  if (names.length > 1) throw new Refusal(`“${text}” may be ${names.map(spoken).join(" or ")}. Which do you mean?`);
  const metric = findMetric(definition, name);
  if (!counted || !metric) return name;
  const measure = metric.kind === "simple" ? findMeasure(definition, metric.measure)?.measure : undefined;
  const isCount = measure?.aggregation === "count" || measure?.aggregation === "count_distinct";
  if (isCount || (counted === "sum" && measure?.aggregation === "sum")) return name;
  throw new Refusal(
    `${spoken(name)} is no ${counted === "count" ? "number of things" : "total"}; ask for “${spoken(name)}” as it is.`,
  );
}

/** The one dimension of a phrase that the metrics can be combined with. */
function dimensionFor(
  mention: Mention,
  metrics: readonly string[],
  grain: Grouping["grain"],
  defined: DefinedModel,
): string {
  const all = [...new Set(mention.meanings.flatMap((meaning) => dimensionOf(meaning) ?? []))];
  if (all.length === 1) return all[0] ?? "";
  const possible = all.filter((dimension) => {
    const found = findDimension(defined.definition, dimension);
    const isTimed = found && isTime(found.dimension);
    try {
      defined.compile(modelQuery({ metrics, groupBy: [{ dimension, ...(isTimed && { grain: grain ?? "year" }) }] }));
      return true;
    } catch (error) {
      if (error instanceof ModelFault) return false;
      throw error;
    }
  });
  if (possible.length === 1) return possible[0] ?? "";
  const names = (possible.length > 0 ? possible : all).map((dimension) => splitName(dimension).map(spoken).join(" "));
  throw new Refusal(`“${mention.text}” may be ${names.join(" or ")}. Which do you mean?`);
}

type Pick = (mention: Mention, grain?: Grouping["grain"]) => string;

function groupingsOf(read: ReadQuestion, pick: Pick, { definition }: DefinedModel): readonly Grouping[] {
  const dimensions = read.groupings.map((mention) => pick(mention, read.grain));
  const times = dimensions.filter((dimension) => {
    const found = findDimension(definition, dimension);
    return found && isTime(found.dimension);
  });
  if (times.length > 1 || (times.length === 1 && !read.grain))
    throw new Refusal("Say by which unit of time: by day, week, month, quarter or year.");
  const [time] = times;
  const others = dimensions.filter((dimension) => dimension !== time);
  return [
    ...(read.grain ? [{ dimension: time ?? METRIC_TIME, grain: read.grain }] : []),
    ...[...new Set(others)].map((dimension) => ({ dimension })),
  ];
}

/** Values of one dimension are alternatives. */
function mergedConditions({ conditions }: ReadQuestion, pick: Pick): readonly DimensionCondition[] {
  const merged = new Map<string, { values: string[]; negated: boolean }>();
  for (const mention of conditions) {
    const dimension = pick(mention);
    const values = mention.meanings.flatMap((meaning) =>
      meaning.kind === "value" && meaning.dimension === dimension ? [meaning.value] : [],
    );
    const known = merged.get(dimension);
    if (known && (known.negated || mention.negated))
      throw new Refusal(`I do not understand which values of ${spoken(splitName(dimension)[1])} are left out.`);
    merged.set(dimension, { values: [...(known?.values ?? []), ...values], negated: mention.negated });
  }
  return [...merged].map(([dimension, { values, negated }]): DimensionCondition => {
    if (values.length === 1) return { dimension, operator: negated ? "!=" : "=", values };
    return { dimension, operator: negated ? "not in" : "in", values };
  });
}

function periodOf({ period }: ReadQuestion): readonly DimensionCondition[] {
  return [
    ...(period?.from ? [{ dimension: METRIC_TIME, operator: ">=" as const, values: [period.from] }] : []),
    ...(period?.to ? [{ dimension: METRIC_TIME, operator: "<" as const, values: [period.to] }] : []),
  ];
}

function ranking(
  { top, metrics: mentions }: ReadQuestion,
  metrics: readonly string[],
  groupBy: readonly Grouping[],
  before: ModelQuery | undefined,
  defined: DefinedModel,
): Partial<ModelQuery> {
  if (!top)
    return before ? { orderBy: before.orderBy, ...(before.limit !== undefined && { limit: before.limit }) } : {};
  if (groupBy.length === 0)
    throw new Refusal(
      `I do not know of what to find the ${top.descending ? "highest" : "lowest"}; name what to group by.`,
    );
  // A ranking within each group would be another question.
  if (groupBy.length > 1) throw new Refusal("I can rank by one grouping at a time.");
  const meant = mentions.find(({ at }) => at > top.at) ?? mentions[0];
  const by = meant ? metricOf(meant, defined) : metrics[0];
  return by === undefined ? {} : { orderBy: [{ by, descending: top.descending }], limit: top.count };
}

/** A name as a person reads it. */
export function spoken(name: string): string {
  return name.replaceAll("_", " ");
}
