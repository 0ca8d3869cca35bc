import { definedFields } from "#base";
import {
  type Dimension,
  EMPTY_QUERY,
  type Filter,
  type Measure,
  type SemanticQuery,
  tableOfMeasure,
} from "../query/semantic-query.ts";
import { add, type Grain, isoDay, type Period } from "../time/period.ts";
import type { ParsedQuestion } from "./parse-semantics.ts";

/** Whether a question is elliptical: it begins as a follow-up, or it names neither a measure nor a table. */
export function isElliptical({ query, followsUp, subjects, shift, names, whole, unknown }: ParsedQuestion): boolean {
  if (followsUp || shift) return true;
  if (query.existence) return false;
  const grouped = new Set(query.dimensions.flatMap((one) => (one.kind === "entity" ? [one.table] : [])));
  const named = subjects.filter((table) => !grouped.has(table));
  const isEmpty =
    query.measures.length === 0 &&
    named.length === 0 &&
    ((!names && unknown.length === 0) || query.dimensions.every(({ kind }) => kind !== "column"));
  return (
    isEmpty &&
    (whole ||
      query.filters.length > 0 ||
      query.period !== undefined ||
      query.dimensions.length > 0 ||
      query.top !== undefined ||
      query.chart !== undefined ||
      query.growth !== undefined ||
      query.days !== undefined ||
      query.share)
  );
}

/** The previous query with the parts that the new question replaces. */
export function mergeFollowUp(before: SemanticQuery, parsed: ParsedQuestion): SemanticQuery {
  const { query: next, adds, shift } = parsed;
  const last = parsed.whole ? wholeOf(before, parsed) : before;
  const moved = shift && last.period ? shiftedBack(last.period, shift) : undefined;
  if (last.existence && next.measures.length === 0 && next.dimensions.length === 0)
    return mergeExistence(last, next, moved);
  const { period = moved ?? last.period, timeColumn = last.timeColumn, top = last.top, growth = last.growth } = next;
  const newSubject = next.measures.length > 0;
  return {
    ...EMPTY_QUERY,
    measures: newSubject ? next.measures.map((measure) => withAggregateOf(last, measure)) : last.measures,
    dimensions: mergeDimensions(last, next, adds),
    filters: mergeFilters(last.filters, next.filters),
    having: next.having.length > 0 ? next.having : last.having,
    share: next.share || (last.share && !newSubject),
    running: next.running || (last.running && !newSubject),
    countGroups: next.countGroups || (last.countGroups && !newSubject && next.dimensions.length === 0),
    ...definedFields({ period }),
    ...(next.period
      ? next.otherPeriod && { otherPeriod: next.otherPeriod }
      : last.otherPeriod && { otherPeriod: last.otherPeriod }),
    ...definedFields({ timeColumn, top, growth, days: next.days ?? last.days }),
    ...definedFields({ moving: next.moving ?? (newSubject ? undefined : last.moving) }),
    ...((next.average ?? last.average) && { average: next.average ?? last.average }),
    ...(!newSubject && last.through && { through: last.through }),
    ...definedFields({ through: next.through }),
    ...((next.latest ?? last.latest) && { latest: next.latest ?? last.latest }),
    ...definedFields({ chart: next.chart }),
  };
}

/** "and in total?": the same of all rows, without the split of the question before; "how many" counts them (CA-111). */
function wholeOf(last: SemanticQuery, { counted }: ParsedQuestion): SemanticQuery {
  if (last.existence) return counted ? { ...last, existence: { ...last.existence, counted } } : last;
  if (last.countGroups) return last;
  const { filters, period, days, timeColumn, through } = last;
  const [first] = last.measures;
  const isCount = first?.kind === "rows" || (first?.kind === "aggregate" && first.fn === "distinct");
  return {
    ...EMPTY_QUERY,
    filters,
    measures: counted && first && !isCount ? [{ kind: "rows", table: tableOfMeasure(first) }] : last.measures,
    ...definedFields({ period, days, timeColumn, through }),
  };
}

/** What a follow-up does not take along of the question before, in sentences. */
export function lostOf(last: SemanticQuery, query: SemanticQuery, { whole }: ParsedQuestion): readonly string[] {
  if (last.existence && !query.existence)
    return ["The things of the question before were not taken along; this is asked of all."];
  const choosesGroups = last.top !== undefined || last.average !== undefined || last.having.length > 0;
  return whole && choosesGroups && !last.countGroups
    ? ["This is of all, and not only of those that the question before has chosen by their number."]
    : [];
}

/** "average price by city", "and the weight?": the mean of it, too. */
function withAggregateOf(last: SemanticQuery, measure: Measure): Measure {
  const [before] = last.measures;
  if (measure.kind !== "aggregate" || !measure.assumed || before?.kind !== "aggregate" || before.assumed)
    return measure;
  if (before.fn === "distinct") return measure;
  return { kind: "aggregate", fn: before.fn, table: measure.table, column: measure.column };
}

/** The same existence query with another period or other filters. */
function mergeExistence(last: SemanticQuery, next: SemanticQuery, moved: Period | undefined): SemanticQuery {
  const period = next.period ?? moved;
  const existence = last.existence && {
    ...last.existence,
    occurrences: last.existence.occurrences.map((one) => (period ? { ...one, period } : one)),
  };
  return { ...last, ...definedFields({ existence }), filters: mergeFilters(last.filters, next.filters) };
}

/** "the month before": a whole unit earlier. */
function shiftedBack({ from, to }: Period, grain: Grain): Period {
  const back = (day: string) => isoDay(add(new Date(day), -1, grain));
  return {
    ...(from && { from: back(from) }),
    ...(to && { to: back(to) }),
    label: from ? `in the ${grain} from ${back(from)}` : `one ${grain} earlier`,
  };
}

function mergeDimensions(last: SemanticQuery, next: SemanticQuery, adds: boolean): readonly Dimension[] {
  if (next.dimensions.length === 0) return last.dimensions;
  if (adds) return [...last.dimensions, ...next.dimensions];
  return isOverTime(last) && next.measures.length === 0 && !next.dimensions.some(({ kind }) => kind === "time")
    ? [...last.dimensions.filter(({ kind }) => kind === "time"), ...next.dimensions]
    : next.dimensions;
}

/** What is shown over time is so, too, where a follow-up splits it: "by channel". */
function isOverTime({ growth, running, moving }: SemanticQuery): boolean {
  return growth !== undefined || running || moving !== undefined;
}

/** A filter on the same column replaces the old one. */
function mergeFilters(last: readonly Filter[], next: readonly Filter[]): readonly Filter[] {
  return [...last.filter(({ column }) => next.every((filter) => filter.column !== column)), ...next];
}
