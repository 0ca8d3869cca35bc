import type { Token } from "#analytics";
import { definedFields } from "#base";
import { add, type Grain, isoDay, type Period, startOf, unitFrom } from "./period.ts";

/** Reads a period that begins at `at`: "last month", "in Q3 2025", "since March", "between May and July 2025", "past 30 days". */
export function parsePeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  return (
    readOpenPeriod(tokens, at, now) ??
    readPeriodRange(tokens, at, now) ??
    readRelativePeriod(tokens, at, now) ??
    readNamedPeriod(tokens, at, now)
  );
}

/** since, before, after, until, from … to …, between … and … around named periods. */
function readOpenPeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const word = tokens[at]?.stem ?? "";
  const first = readNamedPeriod(tokens, at + 1, now);
  if (!first) return undefined;
  const length = 1 + first.length;
  const { from, to } = first.period;
  const named = first.period.label.replace(/^(in|on) /, "");
  if (word === "since" && from) return { period: { from, label: `since ${named}` }, length };
  if ((word === "before" || word === "until") && from)
    return { period: { to: from, label: `before ${named}` }, length };
  if (word === "after" && to) return { period: { from: to, label: `after ${named}` }, length };
  if (word === "between" || word === "from") return readRange(tokens, at, now, first);
  return undefined;
}

/** "2026-06-01 to 2026-06-07", "March until May 2026": a range without "from". */
function readPeriodRange(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const first = readNamedPeriod(tokens, at, now);
  if (!first || !["to", "until", "till", "through"].includes(tokens[at + first.length]?.stem ?? "")) return undefined;
  const range = readRange(tokens, at - 1, now, first);
  return range && { period: range.period, length: range.length - 1 };
}

function readRange(tokens: readonly Token[], at: number, now: Date, first: FoundPeriod): FoundPeriod | undefined {
  const separator = at + 1 + first.length;
  if (!["and", "to", "until", "till", "through"].includes(tokens[separator]?.stem ?? "")) return undefined;
  const second = readNamedPeriod(tokens, separator + 1, now);
  if (!second?.period.to) return undefined;
  const start = sameYear(tokens, at + 1, first, second);
  const grain = grainOf(start);
  const label = `from ${start.label.replace(/^(in|on) /, "")} to ${second.period.label.replace(/^(in|on) /, "")}`;
  return {
    period: { ...(start.from && { from: start.from }), to: second.period.to, label, ...definedFields({ grain }) },
    length: separator + 1 + second.length - at,
  };
}

/** "between May and July 2025": only the second month has a year. */
function sameYear(tokens: readonly Token[], at: number, first: FoundPeriod, second: FoundPeriod): Period {
  if (first.length > 1 || !isMonth(tokens[at]) || !first.period.from || !second.period.from) return first.period;
  const [year] = second.period.from.split("-");
  return {
    ...first.period,
    from: `${year}${first.period.from.slice(4)}`,
    label: first.period.label.replace(/\d{4}$/, year ?? ""),
  };
}

/** The unit of the calendar that a named period fills. */
function grainOf({ from, to }: Period): Grain | undefined {
  if (!from || !to) return undefined;
  const grains = ["year", "quarter", "month", "day"] as const;
  return grains.find((grain) => isoDay(add(new Date(from), 1, grain)) === to);
}

/** A period and its number of tokens. */
interface FoundPeriod {
  readonly period: Period;
  readonly length: number;
}

/** 2025, March, March 2025, Q3, Q3 2025, 2025-03-14, 14 March 2025. */
function readNamedPeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  return (
    readDay(tokens, at) ??
    readHalf(tokens, at, now) ??
    readMonth(tokens, at, now) ??
    readQuarter(tokens, at, now) ??
    readYear(tokens, at)
  );
}

function readDay(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const numbers = [first, second, third].map((token) => (token?.kind === "number" ? token.value : undefined));
  const [year, month, day] = numbers;
  if (isYear(first) && month && month <= 12 && day && day <= 31 && year) return dayOf(year, month - 1, day, 3);
  if (isMonth(second) && isYear(third) && year && year <= 31) return dayOf(third?.value ?? 0, monthOf(second), year, 3);
  if (isMonth(first) && isYear(third) && month && month <= 31)
    return dayOf(third?.value ?? 0, monthOf(first), month, 3);
  return undefined;
}

function dayOf(year: number, month: number, day: number, length: number): FoundPeriod {
  const date = new Date(Date.UTC(year, month, day));
  return { period: unitFrom(date, "day", `on ${isoDay(date)}`), length };
}

/** H1 2026, first half of 2026, second half. */
function readHalf(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const [word, next, of] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const short = /^h([12])$/i.exec(word?.text ?? "")?.[1];
  const order = ["first", "second"].indexOf(word?.stem ?? "");
  if (!short && (order < 0 || next?.stem !== "half")) return undefined;
  const half = short ? Number(short) : order + 1;
  const before = short ? 1 : of?.stem === "of" ? 3 : 2;
  const named = tokens[at + before];
  const year = isYear(named) ? named.value : latestYear((half - 1) * 6, now);
  const start = new Date(Date.UTC(year, (half - 1) * 6, 1));
  const label = `in the ${half === 1 ? "first" : "second"} half of ${year}`;
  const period = { from: isoDay(start), to: isoDay(add(start, 6, "month")), label };
  return { period, length: isYear(named) ? before + 1 : Math.min(before, 2) };
}

function readMonth(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const [word, next] = [tokens[at], tokens[at + 1]];
  if (!isMonth(word)) return undefined;
  const month = monthOf(word);
  const year = isYear(next) ? next.value : latestYear(month, now);
  const name = MONTHS[month] ?? "";
  const label = `in ${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`;
  return { period: unitFrom(new Date(Date.UTC(year, month, 1)), "month", label), length: isYear(next) ? 2 : 1 };
}

/** The year of a month without one: its latest that has begun. */
function latestYear(month: number, now: Date): number {
  return month <= now.getUTCMonth() ? now.getUTCFullYear() : now.getUTCFullYear() - 1;
}

function readQuarter(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const quarter = /^q([1-4])$/.exec(tokens[at]?.text.toLowerCase() ?? "")?.[1];
  if (!quarter) return undefined;
  const next = tokens[at + 1];
  const month = (Number(quarter) - 1) * 3;
  const year = isYear(next) ? next.value : latestYear(month, now);
  const start = new Date(Date.UTC(year, month, 1));
  return { period: unitFrom(start, "quarter", `in Q${quarter} ${year}`), length: isYear(next) ? 2 : 1 };
}

function readYear(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const token = tokens[at];
  if (!isYear(token)) return undefined;
  return { period: unitFrom(new Date(Date.UTC(token.value, 0, 1)), "year", `in ${token.value}`), length: 1 };
}

function isYear(token: Token | undefined): token is Token & { readonly value: number } {
  return token?.kind === "number" && /^(19|20)\d\d$/.test(token.text);
}

const UNITS: Readonly<Record<string, Grain>> = {
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
};

/** today, yesterday, this month, last 3 quarters, past 30 days, year to date. */
function readRelativePeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
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

/** Months of the year, January first. */
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Whether a word names a month, in full or by its first letters; "may" in small letters is a verb. */
function isMonth(token: Token | undefined): token is Token {
  return token?.kind === "word" && monthOf(token) >= 0 && token.text.length >= 3 && !(token.text === "may");
}

/** The month that a word names, January 0; -1 for none. */
function monthOf(token: Token | undefined): number {
  const word = token?.text.toLowerCase() ?? "";
  return word.length < 3
    ? -1
    : MONTHS.findIndex(
        (month) => month === word || month.slice(0, 3) === word || (word === "sept" && month === "september"),
      );
}
