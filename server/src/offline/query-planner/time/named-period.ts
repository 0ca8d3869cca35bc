import type { Token } from "#analytics";
import { isMonth, MONTHS, monthOf } from "./month-name.ts";
import { add, isoDay, type Period, unitFrom } from "./period.ts";

/** A period found at a place of the question, and how many tokens it takes. */
export interface FoundPeriod {
  readonly period: Period;
  readonly length: number;
}

/** 2025, March, March 2025, Q3, Q3 2025, 2025-03-14, 14 March 2025. */
export function readNamed(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
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

/** A month without a year is the last one that has begun. */
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
