import { stem } from "#analytics";
import { spokenName, spokenTable } from "../lexicon/table-words.ts";
import type { Dimension, Measure, SemanticQuery } from "./semantic-query.ts";

const FUNCTIONS = {
  sum: "total",
  avg: "average",
  min: "lowest",
  max: "highest",
  median: "median",
  distinct: "different",
};

/** A measure as people say it. */
export function measureLabel(measure: Measure): string {
  switch (measure.kind) {
    case "rows":
      return `number of ${plural(spokenTable(measure.table))}`;
    case "named":
      return measure.measure.name.replaceAll("_", " ").toLowerCase();
    case "aggregate":
      return `${FUNCTIONS[measure.fn]} ${spokenName(measure.table, measure.column)}`;
    case "rate":
      return `${measure.value.toLowerCase()} percent`;
    case "ratio":
      return `average ${measureLabel(measure.of)} per ${singular(spokenTable(measure.per))}`;
  }
}

/** A dimension as people say it. */
export function dimensionLabel(dimension: Dimension): string {
  switch (dimension.kind) {
    case "time":
      return dimension.grain;
    case "part":
      return dimension.part;
    case "entity":
      return singular(spokenTable(dimension.table));
    case "column":
      return spokenName(dimension.table, dimension.column);
  }
}

/** Name of the result: what it holds, in snake case, 60 characters at most. */
export function resultName(query: SemanticQuery): string {
  const { measures, dimensions, share, growth, countGroups, existence } = query;
  if (existence) return snake(`${existence.counted ? "number of " : ""}${spokenTable(existence.subject)}`);
  if (countGroups) return snake(`number of ${dimensions.map(dimensionLabel).join(" and ")}s`);
  const words = [
    ...(growth ? ["growth of"] : share ? ["share of"] : []),
    ...(measures.length > 0 ? measures.map(measureLabel) : ["rows"]),
    ...dimensions.flatMap((dimension) => ["by", dimensionLabel(dimension)]),
  ];
  return snake(words.join(" ")).slice(0, 60).replace(/_$/, "");
}

/** A label as a column's name. */
export function snake(label: string): string {
  return label
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

function singular(words: string): string {
  const parts = words.split(" ");
  return [...parts.slice(0, -1), stem(parts.at(-1) ?? "")].join(" ");
}

function plural(words: string): string {
  return /s$/.test(words) ? words : `${words}s`;
}
