import { type ChartHint, stem } from "#analytics";
import { notedUnit } from "#warehouse";
import { type AggregateFunction, percentOf } from "../constituents/constituent.ts";
import { flagValues } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { unitWord } from "../lexicon/units.ts";
import type { Dimension, Measure, SemanticQuery } from "./semantic-query.ts";

const FUNCTIONS = {
  sum: "total",
  avg: "average",
  min: "lowest",
  max: "highest",
  median: "median",
  distinct: "different",
};

const COMBINED = { "/": "per", "%": "in percent of", "-": "minus", "+": "plus" };

function functionLabel(fn: AggregateFunction): string {
  const percent = percentOf(fn);
  return percent === undefined ? FUNCTIONS[fn as keyof typeof FUNCTIONS] : `${ordinal(percent)} percentile`;
}

function ordinal(number: number): string {
  const endings: Readonly<Record<number, string>> = { 1: "st", 2: "nd", 3: "rd" };
  return `${number}${(Math.floor(number / 10) === 1 ? undefined : endings[number % 10]) ?? "th"}`;
}

/** A measure in words. */
export function measureLabel(measure: Measure): string {
  switch (measure.kind) {
    case "rows":
      return `number of ${plural(tableLabel(measure.table))}`;
    case "named":
      return measure.measure.name.replaceAll("_", " ").toLowerCase();
    case "aggregate":
      return `${functionLabel(measure.fn)} ${columnLabel(measure.table, measure.column)}${unitBehind(measure)}`;
    case "combined":
      return `${measureLabel(measure.left)} ${COMBINED[measure.by]} ${measureLabel(measure.right)}`;
    case "rate":
      return `${stateLabel(measure)} percent`;
    case "ratio":
      return `average ${measureLabel(measure.of)} per ${singular(tableLabel(measure.per))}`;
  }
}

/** The unit that the cells of a column had, behind its name. */
function unitBehind({ fn, column }: Extract<Measure, { kind: "aggregate" }>): string {
  const unit = fn === "distinct" ? undefined : notedUnit(column.description);
  return unit === undefined ? "" : ` ${unitWord(unit)}`;
}

/** The state that a rate is of: "delivered" of a status, the name of a flag that says yes. */
function stateLabel({ table, column, value }: Extract<Measure, { kind: "rate" }>): string {
  const flag = flagValues(column);
  if (!flag) return value.toLowerCase();
  return `${value === flag.no ? "not " : ""}${columnLabel(table, column)}`;
}

/** A dimension in words. */
export function dimensionLabel(dimension: Dimension): string {
  switch (dimension.kind) {
    case "time":
      return dimension.grain;
    case "part":
      return dimension.part;
    case "entity":
      return singular(tableLabel(dimension.table));
    case "column":
      return columnLabel(dimension.table, dimension.column);
  }
}

/** The name of the result: its measures and dimensions in snake case, at most 60 characters. */
export function resultName(query: SemanticQuery): string {
  const { measures, dimensions, share, growth, countGroups, existence } = query;
  if (existence) return toSnakeCase(`${existence.counted ? "number of " : ""}${tableLabel(existence.subject)}`);
  if (countGroups) return toSnakeCase(`number of ${dimensions.map(dimensionLabel).join(" and ")}s`);
  const words = [
    ...(growth ? ["growth of"] : share ? ["share of"] : []),
    ...(measures.length > 0 ? measures.map(measureLabel) : ["rows"]),
    ...dimensions.flatMap((dimension) => ["by", dimensionLabel(dimension)]),
  ];
  return toSnakeCase(words.join(" ")).slice(0, 60).replace(/_$/, "");
}

/** A label as a column's name. */
export function toSnakeCase(label: string): string {
  return label
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

function singular(words: string): string {
  const parts = words.split(" ");
  const last = parts.at(-1) ?? "";
  return [...parts.slice(0, -1), ENDS_IN_IE.test(last) ? last.replace(/s$/, "") : stem(last)].join(" ");
}

/** Words whose singular ends in -ie; of others, that of -ies ends in -y. */
const ENDS_IN_IE = /^(movie|cookie|calorie|zombie|selfie|hoodie|brownie|rookie|pie|tie|genie|prairie|birdie)s?$/;

function plural(words: string): string {
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`;
  if (/(x|ch|sh)$/.test(words)) return `${words}es`;
  return /s$/.test(words) ? words : `${words}s`;
}

/** Whether the numbers of groups are parts of a whole: stacked means would look like one (CA-108). */
export function isPart(measure: Measure): boolean {
  if (measure.kind === "combined") return /[-+]/.test(measure.by) && isPart(measure.left) && isPart(measure.right);
  return measure.kind === "rows" || measure.kind === "named" || (measure.kind === "aggregate" && measure.fn === "sum");
}

/** Whether one axis may have both: totals of two columns, or two means; not a number of rows beside an amount. */
function areAlike(one: Measure, other: Measure): boolean {
  if (one.kind !== "aggregate" || other.kind !== "aggregate") return one.kind === "rows" && other.kind === "rows";
  const counts = [one, other].filter(({ fn }) => fn === "distinct").length;
  return counts !== 1 && notedUnit(one.column.description) === notedUnit(other.column.description);
}

/** The chart of a result: lines over time, bars for other dimensions; none for a single number. */
export function chartFor(query: SemanticQuery): ChartHint | undefined {
  const { dimensions, measures } = query;
  const [measure] = measures;
  if (query.existence || query.countGroups || dimensions.length === 0 || !measure) return query.chart;
  const time = dimensions.find(({ kind }) => kind === "time");
  const first = time ?? dimensions[0];
  const series = dimensions.find((dimension) => dimension !== first);
  const shown = query.growth
    ? "growth of "
    : query.share
      ? "share of "
      : query.running
        ? "running "
        : query.moving
          ? "moving average of "
          : "";
  const beside =
    shown === "" && !series && !query.chart ? measures.slice(1).filter((one) => areAlike(one, measure)) : [];
  const title = `${shown}${[measure, ...beside].map(measureLabel).join(" and ")} by ${dimensions.map(dimensionLabel).join(" and ")}`;
  return {
    mark:
      time && !query.top
        ? "line"
        : first?.kind === "part" && !series
          ? "bar"
          : series
            ? isPart(measure)
              ? "stacked-bar"
              : "bar"
            : query.top
              ? "horizontal-bar"
              : "bar",
    ...(first && { x: toSnakeCase(dimensionLabel(first)) }),
    y: query.growth
      ? "growth_percent"
      : query.share
        ? "share_percent"
        : query.moving
          ? "moving_average"
          : toSnakeCase(`${query.running && time ? "running " : ""}${measureLabel(measure)}`),
    ...(beside.length > 0 && { beside: beside.map((one) => toSnakeCase(measureLabel(one))) }),
    ...(series && { series: toSnakeCase(dimensionLabel(series)) }),
    title: title.charAt(0).toUpperCase() + title.slice(1),
    ...query.chart,
  };
}
