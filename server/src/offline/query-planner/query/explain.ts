import type { SemanticTable } from "#analytics";
import { isOfAll } from "../constituents/rows-and-ranks.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { flagValues } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { dimensionLabel, measureLabel } from "./labels.ts";
import type { Existence, Filter, Occurrence, SemanticQuery } from "./semantic-query.ts";

/** A query in one sentence. */
export function explain(query: SemanticQuery, timeColumn: ColumnRef | undefined): string {
  if (query.existence) return existenceText(query.existence, query.filters);
  const parts = [
    asked(query),
    ...(query.dimensions.length > 0 && !query.countGroups
      ? [`by ${query.dimensions.map(dimensionLabel).join(" and ")}`]
      : []),
    ...query.filters.map((filter) => filterText(filter, query.filters)),
    ...query.having.map(({ measure, comparison, value }) => `with ${measureLabel(measure)} ${comparison} ${value}`),
    ...(query.period ? [[query.otherPeriod, query.period].flatMap((one) => one?.label ?? []).join(" and ")] : []),
    ...(query.days ? [daysText(query.days)] : []),
    ...(query.average ? [query.average === ">" ? "above the mean of all" : "below the mean of all"] : []),
    ...(query.latest ? [`the newest ${query.latest}`] : []),
    ...(query.top ? [ranking(query.top)] : []),
  ];
  const dated =
    (query.period || query.days || query.dimensions.some(({ kind }) => kind === "time" || kind === "part")) &&
    timeColumn;
  return `${parts.join(", ")}${dated ? ` (by ${columnLabel(timeColumn.table, timeColumn.column)})` : ""}.`;
}

function ranking({ count, direction, ofEachTime }: NonNullable<SemanticQuery["top"]>): string {
  const [most, first] = direction === "most" ? ["most", "largest"] : ["least", "smallest"];
  const each = ofEachTime ? " of each time" : "";
  return isOfAll(count) ? `the ${first} first` : `the ${count ?? 1} with ${most}${each}`;
}

/** "Customers with orders in 2025, without order items where category is Coffee." */
function existenceText({ subject, counted, occurrences }: Existence, filters: readonly Filter[]): string {
  const what = `${counted ? "number of " : ""}${tableLabel(subject)}`;
  const conditions = occurrences.map(occurrenceText);
  const text = [
    [what, ...filters.map((filter) => `whose ${filterText(filter, filters)}`)].join(" "),
    conditions.join(" and "),
  ].join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function occurrenceText({ negated, fact, filters, period, atLeast }: Occurrence): string {
  const conditions = filters.map((filter) => filterText(filter, filters)).join(" and ");
  const where = conditions === "" ? "" : ` where ${conditions}`;
  const some =
    atLeast === undefined ? (negated ? "without" : "with") : `with ${negated ? "fewer than" : "at least"} ${atLeast}`;
  return `${some} ${tableLabel(fact)}${where}${period ? ` ${period.label}` : ""}`;
}

const WEEK = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

function daysText(days: readonly number[]): string {
  if (days.join() === "1,2,3,4,5") return "from Mondays to Fridays";
  return `on ${days.map((day) => WEEK[day - 1] ?? "").join(" and ")}`;
}

function asked({ measures, share, growth, running, moving, countGroups, dimensions, through }: SemanticQuery): string {
  if (countGroups) return `How many ${dimensions.map(dimensionLabel).join(" and ")}s there are`;
  const what =
    measures.length > 0 ? measures.map(measureLabel).join(" and ") : dimensions.length > 0 ? "Rows" : listed(through);
  const [counted] = measures;
  const some = counted?.kind === "ratio" && counted.of.kind === "rows" ? " that has any" : "";
  const text = growth
    ? `Growth of ${what}`
    : share
      ? `Share of ${what}`
      : running
        ? `Running ${what}`
        : moving
          ? movingText(moving, what)
          : what;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${some}`;
}

function movingText({ count, grain }: NonNullable<SemanticQuery["moving"]>, what: string): string {
  return `${what}, and its mean over the last ${count} ${grain}s where each of them has rows`;
}

function listed(table: SemanticTable | undefined): string {
  return table ? `A list of ${tableLabel(table)}` : "A list of rows";
}

/** "city of stores is Leeds", where another filter has a column of the same name. */
function filterText(filter: Filter, all: readonly Filter[]): string {
  const own = columnLabel(filter.table, filter.column);
  const isShared = all.some((one) => one.table !== filter.table && columnLabel(one.table, one.column) === own);
  const name = isShared ? `${own} of ${tableLabel(filter.table)}` : own;
  switch (filter.kind) {
    case "values":
      if (computedOf(filter.column)?.kind === "compared") return `${filter.negated ? "not " : ""}${name}`;
      return `${name} ${filter.negated ? "is not" : "is"} ${filter.values.map((value) => spelled(value, filter)).join(" or ")}`;
    case "compare":
      return `${name} ${filter.comparison} ${filter.value}`;
    case "between":
      return `${name} between ${filter.low} and ${filter.high}`;
    case "average":
      return `${name} ${filter.comparison === ">" ? "above" : "below"} its average`;
    case "empty":
      return `${name} is ${filter.negated ? "known" : "empty"}`;
    case "related":
      return occurrenceText(filter.occurrence);
    case "contains":
      return `${name} ${filter.negated ? "without" : "with"} “${filter.text}”`;
  }
}

/** 1 of a column of 0 and 1 is yes. */
function spelled(value: string, { column }: Filter): string {
  return column.zeroOrOne ? (value === flagValues(column)?.yes ? "yes" : "no") : value;
}
