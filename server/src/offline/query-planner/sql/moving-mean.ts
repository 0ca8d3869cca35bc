import type { Grain } from "../time/period.ts";
import { aggregateSql, type DialectFunctions, monthNumber } from "./dialect.ts";
import type { Group, Parts, Value } from "./parts.ts";

/** How far the next unit of each kind is, in months or days, and how many units are a year. */
export const UNITS: Readonly<
  Record<Grain, { readonly of: "month" | "day"; readonly step: number; readonly aYear: number }>
> = {
  year: { of: "month", step: 12, aYear: 1 },
  quarter: { of: "month", step: 3, aYear: 4 },
  month: { of: "month", step: 1, aYear: 12 },
  week: { of: "day", step: 7, aYear: 52 },
  day: { of: "day", step: 1, aYear: 365 },
};

/** A whole number that is `UNITS[grain].step` more for the next unit of time. */
export function unitNumber(time: Group, words: DialectFunctions): string {
  return UNITS[time.grain ?? "month"].of === "month" ? monthNumber(words, time.text) : words.dayNumber(time.text);
}

/** A window in the order of time, partitioned by the other dimensions. */
export function windowOverTime(groups: readonly Group[], time: Group, order = time.text): string {
  const others = groups.filter((group) => group !== time).flatMap(({ by }) => by);
  const within = others.length > 0 ? `PARTITION BY ${others.join(", ")} ` : "";
  return `(${within}ORDER BY ${order})`;
}

/** The mean of a measure over the last units, as a column; NULL where one of them has no rows, because the mean would be of others. */
export function movingColumn({ text }: Value, time: Group, { groups, query, words, model }: Parts): string {
  const count = query.moving?.count ?? 1;
  const distance = (count - 1) * UNITS[time.grain ?? "month"].step;
  const number = unitNumber(time, words);
  const mean = aggregateSql(words, "avg", text, "INT64");
  const shown = (isWhole: string, frame: string) =>
    `CASE WHEN ${isWhole} THEN ${mean} OVER ${frame} END AS ${model.source.quoteName("moving_average")}`;
  if (words.rangesByValue) {
    const frame = windowOverTime(groups, time, `${number} RANGE BETWEEN ${distance} PRECEDING AND CURRENT ROW`);
    return shown(`count(*) OVER ${frame} = ${count}`, frame);
  }
  const first = `lag(${number}, ${count - 1}) OVER ${windowOverTime(groups, time)}`;
  const frame = windowOverTime(groups, time, `${time.text} ROWS BETWEEN ${count - 1} PRECEDING AND CURRENT ROW`);
  return shown(`${number} - ${first} = ${distance}`, frame);
}
