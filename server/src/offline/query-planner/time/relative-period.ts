import type { Token } from "#analytics";
import type { FoundPeriod } from "./named-period.ts";
import { add, type Grain, isoDay, startOf, unitFrom } from "./period.ts";

const UNITS: Readonly<Record<string, Grain>> = {
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
};

/** today, yesterday, this month, last 3 quarters, past 30 days, year to date. */
export function readRelative(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const [word, second, third] = [tokens[at]?.stem ?? "", tokens[at + 1], tokens[at + 2]];
  const today = startOf(now, "day");
  if (word === "today") return { period: unitFrom(today, "day", "today"), length: 1 };
  if (word === "yesterday") return { period: unitFrom(add(today, -1, "day"), "day", "yesterday"), length: 1 };
  if (word === "ytd") return toDate(now, 1);
  if (word === "year" && second?.stem === "to" && third?.stem === "date") return toDate(now, 3);
  const unit = UNITS[second?.stem ?? ""];
  if (word === "this" && unit) return { period: unitFrom(startOf(now, unit), unit, `this ${unit}`), length: 2 };
  if ((word === "last" || word === "previous" || word === "past") && unit) {
    return { period: unitFrom(add(startOf(now, unit), -1, unit), unit, `last ${unit}`), length: 2 };
  }
  return readCounted(word, second, third, now);
}

function toDate(now: Date, length: number): FoundPeriod {
  const period = {
    from: isoDay(startOf(now, "year")),
    to: isoDay(add(startOf(now, "day"), 1, "day")),
    label: "this year to date",
  };
  return { period, length };
}

/** "last 3 months" are whole months before this one; "last 30 days" end with yesterday. */
function readCounted(
  word: string,
  second: Token | undefined,
  third: Token | undefined,
  now: Date,
): FoundPeriod | undefined {
  const unit = UNITS[third?.stem ?? ""];
  if (!["last", "past", "previous"].includes(word) || second?.value === undefined || !unit) return undefined;
  const to = startOf(now, unit);
  const label = `in the last ${second.value} ${unit}s`;
  return { period: { from: isoDay(add(to, -second.value, unit)), to: isoDay(to), label }, length: 3 };
}
