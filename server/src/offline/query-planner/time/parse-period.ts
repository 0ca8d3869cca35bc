import type { Token } from "#analytics";
import { definedFields } from "#base";
import { impossibleDate } from "./impossible-date.ts";
import { isMonth, isYear, MONTHS, monthOf } from "./months.ts";
import { add, type Grain, isoDay, type Period, startOf, unitFrom } from "./period.ts";
import { isInCalendar, readWrittenDay } from "./written-day.ts";

/** Reads a period that begins at `at`: "last month", "in Q3 2025", "since March", "between May and July 2025", "past 30 days". */
export function parsePeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  return (
    readOpenPeriod(tokens, at, now) ??
    readPeriodRange(tokens, at, now) ??
    readUnitOf(tokens, at) ??
    readRelativePeriod(tokens, at, now) ??
    readNamedPeriod(tokens, at, now)
  );
}

type Opening = "since" | "after" | "before" | "through" | "in" | "range";

/** Words and signs that open a period; longer ones first. */
const OPENINGS = (
  [
    ["since|>=|on or after|or after|no earlier than|not earlier than|not before", "since"],
    ["after|>|later than", "after"],
    ["before|until|<|earlier than", "before"],
    ["<=|on or before|or before|no later than|not later than|not after", "through"],
    ["=", "in"],
    ["between|from", "range"],
  ] as const
)
  .flatMap(([phrases, opening]) => phrases.split("|").map((phrase) => ({ words: phrase.split(" "), opening })))
  .toSorted((left, right) => right.words.length - left.words.length);

/** since, before, after, until, from … to …, between … and … around named periods. */
function readOpenPeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  // The "on" of "joined on or after" may belong to the name of a column.
  const opened = OPENINGS.find(
    ({ words }) =>
      words.every((word, offset) => tokens[at + offset]?.stem === word) &&
      (words[0] !== "or" || tokens[at - 1]?.stem === "on"),
  );
  const begin = at + (opened?.words.length ?? 0);
  const first = opened && readNamedPeriod(tokens, begin, now);
  if (!first) return undefined;
  if (opened.opening === "range") return readRange(tokens, at, now, first);
  const period = openPeriod(opened.opening, first.period);
  return period && { period, length: begin - at + first.length };
}

function openPeriod(opening: Exclude<Opening, "range">, named: Period): Period | undefined {
  const { from, to } = named;
  const name = named.label.replace(/^(in|on) /, "");
  switch (opening) {
    case "since":
      return from === undefined ? undefined : { from, label: `since ${name}` };
    case "after":
      return to === undefined ? undefined : { from: to, label: `after ${name}` };
    case "before":
      return from === undefined ? undefined : { to: from, label: `before ${name}` };
    case "through":
      return to === undefined ? undefined : { to, label: `up to and including ${name}` };
    case "in":
      return named;
  }
}

/** "2026-06-01 to 2026-06-07", "March until May 2026": a range without "from". */
function readPeriodRange(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const first = readNamedPeriod(tokens, at, now);
  const separator = first && tokens[at + first.length];
  if (!first || !(["to", "until", "till", "through"].includes(separator?.stem ?? "") || joinsDays(separator, first)))
    return undefined;
  const range = readRange(tokens, at - 1, now, first);
  return range && { period: range.period, length: range.length - 1 };
}

function readRange(tokens: readonly Token[], at: number, now: Date, first: FoundPeriod): FoundPeriod | undefined {
  const separator = at + 1 + first.length;
  const isJoined = joinsDays(tokens[separator], first);
  if (!isJoined && !["and", "to", "until", "till", "through"].includes(tokens[separator]?.stem ?? "")) return undefined;
  const begin = isJoined ? separator : separator + 1;
  const second = readNamedPeriod(tokens, begin, now);
  if (!second?.period.to) return undefined;
  const start = sameYear(tokens, at + 1, first, second);
  const grain = grainOf(start);
  const label = `from ${start.label.replace(/^(in|on) /, "")} to ${second.period.label.replace(/^(in|on) /, "")}`;
  return {
    period: { ...(start.from && { from: start.from }), to: second.period.to, label, ...definedFields({ grain }) },
    length: begin + second.length - at,
  };
}

/** "2026-06-01 - 2026-06-07": a dash between two days. */
function joinsDays(token: Token | undefined, { length }: FoundPeriod): boolean {
  return token?.joined === "-" && length === 3;
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

/** 2025, March, March 2025, Q3, Q3 2025, 2025-03-14, 14 March 2025; nothing of a date that does not exist. */
function readNamedPeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  if (impossibleDate(tokens, at)) return undefined;
  return (
    readDay(tokens, at) ??
    readIsoMonth(tokens, at) ??
    readHalf(tokens, at, now) ??
    readYearBefore(tokens, at, now) ??
    readUnitOf(tokens, at) ??
    readMonth(tokens, at, now) ??
    readQuarter(tokens, at, now) ??
    readYear(tokens, at)
  );
}

function readDay(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const written = readWrittenDay(tokens, at);
  if (written?.year === undefined || !isInCalendar(written)) return undefined;
  const date = new Date(Date.UTC(written.year, written.month - 1, written.day));
  return { period: unitFrom(date, "day", `on ${isoDay(date)}`), length: written.length };
}

const ORDER = ["first", "second", "third", "fourth"];

/** "last quarter of 2025", "first month of 2026": counted within the year, which must be named. */
function readUnitOf(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const [word, unit, of] = tokens.slice(at, at + 3);
  const months = { month: 1, quarter: 3, half: 6 }[unit?.stem ?? ""];
  const year = tokens[at + (of?.stem === "of" || of?.stem === "in" ? 3 : 2)];
  const place = word?.stem === "last" ? 12 / (months ?? 1) - 1 : ORDER.indexOf(word?.stem ?? "");
  if (!months || !isYear(year) || place < 0 || place >= 12 / months) return undefined;
  const [begin, end] = [place * months, (place + 1) * months].map((month) =>
    isoDay(new Date(Date.UTC(year.value, month, 1))),
  );
  const label = `in the ${word?.stem} ${unit?.stem} of ${year.value}`;
  const period: Period = { ...definedFields({ from: begin, to: end }), label };
  return { period, length: tokens.indexOf(year) - at + 1 };
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

/** 2026-03. */
function readIsoMonth(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const [year, month, next] = tokens.slice(at, at + 3);
  if (!isYear(year) || month?.joined !== "-" || next?.joined || !/^\d\d$/.test(month.text)) return undefined;
  return monthOfYear(year.value, Number(month.text) - 1, 2);
}

function readMonth(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const [word, next] = [tokens[at], tokens[at + 1]];
  if (!isMonth(word, next)) return undefined;
  const month = monthOf(word);
  const year = isYear(next) ? next.value : (yearOfList(tokens, at + 1) ?? latestYear(month, now));
  return monthOfYear(year, month, isYear(next) ? 2 : 1);
}

function monthOfYear(year: number, month: number, length: number): FoundPeriod {
  const name = MONTHS[month] ?? "";
  const label = `in ${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`;
  return { period: unitFrom(new Date(Date.UTC(year, month, 1)), "month", label), length };
}

const JOINS = new Set(["and", "or", "vs", "versus", "with", "to", "against"]);

/** "May and June 2025", "Q1, Q2 and Q3 2025": the year at the end is that of all. */
function yearOfList(tokens: readonly Token[], from: number): number | undefined {
  let at = from;
  while (tokens[at] && (JOINS.has(tokens[at]?.stem ?? "") || isUnitOfYear(tokens[at]))) at += 1;
  const year = tokens[at];
  return at > from && isUnitOfYear(tokens[at - 1]) && isYear(year) ? year.value : undefined;
}

function isUnitOfYear(token: Token | undefined): boolean {
  return token !== undefined && (/^q[1-4]$/i.test(token.text) || isMonth(token));
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
  const year = isYear(next) ? next.value : (yearOfList(tokens, at + 1) ?? latestYear(month, now));
  const start = new Date(Date.UTC(year, month, 1));
  return { period: unitFrom(start, "quarter", `in Q${quarter} ${year}`), length: isYear(next) ? 2 : 1 };
}

/** "2025 Q4", "2025-Q4", "2025 H1": the year stands first. */
function readYearBefore(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const [year, unit, next] = tokens.slice(at, at + 3);
  // "2025 Q4 2024" are two times.
  if (!year || !unit || !isYear(year) || !/^[qh][1-4]$/i.test(unit.text) || isYear(next)) return undefined;
  const turned = [unit, year];
  const found = readQuarter(turned, 0, now) ?? readHalf(turned, 0, now);
  return found?.length === 2 ? found : undefined;
}

function readYear(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const token = tokens[at];
  if (!isYear(token)) return undefined;
  return { period: unitFrom(new Date(Date.UTC(token.value, 0, 1)), "year", `in ${token.value}`), length: 1 };
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
    isToDate: true,
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
