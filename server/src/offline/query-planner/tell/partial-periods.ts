import { spokenName } from "../lexicon/table-words.ts";
import type { ColumnRef, SemanticQuery } from "../query/semantic-query.ts";
import { add, type Grain, isoDay, type Period, startOf } from "../time/period.ts";

/**
 * What must be known of units of the calendar that the data covers in part, where units are compared with one another: the
 * first and the last one look smaller than they are.
 */
export function partialPeriods(query: SemanticQuery, time: ColumnRef | undefined): readonly string[] {
  const range = time?.column.range;
  const grain = query.dimensions.find((dimension) => dimension.kind === "time")?.grain;
  const compares = query.growth !== undefined || query.otherPeriod !== undefined || query.top !== undefined;
  if (!time || !range) return [];
  const outside = [query.period, query.otherPeriod].flatMap((period) =>
    beyond(period, range, spokenName(time.table, time.column)),
  );
  if (outside.length > 0) return outside;
  if (!grain || grain === "day") return [];
  const name = spokenName(time.table, time.column);
  const [first, last] = [startOf(new Date(range.first), grain), startOf(new Date(range.last), grain)];
  const begins = compares && range.first > isoDay(first) && asks(query, isoDay(first), grain, true);
  const ends = range.last < isoDay(add(add(last, 1, grain), -1, "day")) && asks(query, isoDay(last), grain, false);
  return [
    ...(begins ? [`The ${grain} from ${isoDay(first)} is not whole: ${name} begins on ${range.first}.`] : []),
    ...(ends ? [`The ${grain} from ${isoDay(last)} is not whole: ${name} ends on ${range.last}.`] : []),
  ];
}

function beyond(
  period: Period | undefined,
  { first, last }: { readonly first: string; readonly last: string },
  name: string,
) {
  if (period?.from && period.from > last) return [`There is nothing ${period.label}: ${name} ends on ${last}.`];
  if (period?.to && period.to <= first) return [`There is nothing ${period.label}: ${name} begins on ${first}.`];
  return [];
}

/** Whether a unit is among those that are asked for; growth also looks at the one before. */
function asks({ period, otherPeriod, growth }: SemanticQuery, unit: string, grain: Grain, isFirst: boolean): boolean {
  const periods = [period, otherPeriod].filter((one) => one !== undefined);
  if (periods.length === 0) return true;
  const next = isoDay(add(new Date(unit), growth && isFirst ? 2 : 1, grain));
  return periods.some(({ from = "", to = "9999" }) => from < next && to > unit);
}
