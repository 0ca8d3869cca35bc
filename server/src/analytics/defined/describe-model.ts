import type { Described } from "#semantics";
import type { DefinedModel } from "./bind-model.ts";

/** Values of a dimension in the prompt, at most. */
const SHOWN_VALUES = 12;

/** A semantic model as a language model reads it, and how it asks it. */
export function describeModel({ definition, values }: DefinedModel): readonly string[] {
  const { metrics, datasets, filters, instruction } = definition;
  const asked = metrics.filter(({ hidden }) => !hidden);
  return [
    "",
    `Semantic model ${definition.name}. What it defines, it computes: answer with kind "metrics" wherever its metrics, dimensions and filters say all that is asked, and leave nothing of the question out.`,
    'kind "metrics": metrics (names); group_by: dimension as dataset.dimension, or metric_time for the time of the metrics, with grain for times; where: dimension, operator (=, !=, <, <=, >, >=, in, not in, contains, is null, is not null), values (days as YYYY-MM-DD; a period is >= its first day and < the day after its last); filters: name, negated; having: metric, operator, value; order_by: by (a metric or dimension of the query), descending; limit; reasoning; name; chart.',
    'kind "query" with sql only for what the model does not define; the user is told that it is not verified.',
    ...(instruction ? [instruction] : []),
    "Metrics:",
    ...asked.map((metric) => `  ${metric.name}${notes(metric)}`),
    "Dimensions:",
    ...datasets.flatMap((dataset) =>
      dataset.dimensions
        .filter(({ hidden }) => !hidden)
        .map((dimension) => {
          const known = values(dataset, dimension).slice(0, SHOWN_VALUES);
          const listed = known.length > 0 ? `; values: ${known.map((value) => JSON.stringify(value)).join(", ")}` : "";
          return `  ${dataset.name}.${dimension.name} ${dimension.type}${notes(dimension)}${listed}`;
        }),
    ),
    ...(filters.length > 0 ? ["Filters:", ...filters.map((filter) => `  ${filter.name}${notes(filter)}`)] : []),
  ];
}

function notes({ label, description, synonyms = [] }: Described): string {
  const all = [label, description, synonyms.length > 0 ? `also ${synonyms.join(", ")}` : undefined].filter(Boolean);
  return all.length > 0 ? `: ${all.join("; ")}` : "";
}
