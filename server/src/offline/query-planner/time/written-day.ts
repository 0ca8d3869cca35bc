import type { Token } from "#analytics";
import { isMonth, isYear, monthOf } from "./months.ts";

/** A day as it is written, whether or not the calendar has it. */
interface WrittenDay {
  /** Absent in "14 March". */
  readonly year?: number;
  /** January is 1. */
  readonly month: number;
  readonly day: number;
  /** The number of its tokens. */
  readonly length: number;
}

/** 2025-03-14, 14 March 2025, March 14 2025, 14th of March, March 14. */
export function readWrittenDay(tokens: readonly Token[], at: number): WrittenDay | undefined {
  return readIsoDay(tokens, at) ?? readDayOfMonth(tokens, at) ?? readMonthAndDay(tokens, at);
}

/** Whether there is such a day; without a year, in a leap year. */
export function isInCalendar({ year = 2024, month, day }: WrittenDay): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readIsoDay(tokens: readonly Token[], at: number): WrittenDay | undefined {
  const [first, second, third] = tokens.slice(at, at + 3);
  const [month, day] = [numberOf(second), numberOf(third)];
  if (!isYear(first) || month === undefined || day === undefined) return undefined;
  const written = { year: first.value, month, day, length: 3 };
  // "2026 13 1" is a year and two numbers.
  return isInCalendar(written) || (second?.joined && third?.joined) ? written : undefined;
}

function readDayOfMonth(tokens: readonly Token[], at: number): WrittenDay | undefined {
  const day = ordinalOf(tokens[at]) ?? numberOf(tokens[at]);
  const named = at + (tokens[at + 1]?.stem === "of" ? 2 : 1);
  const month = tokens[named];
  return day === undefined || !isMonth(month) ? undefined : withYear(tokens, at, named + 1, monthOf(month) + 1, day);
}

function readMonthAndDay(tokens: readonly Token[], at: number): WrittenDay | undefined {
  const [month, number] = tokens.slice(at, at + 2);
  const day = ordinalOf(number) ?? numberOf(number);
  return day === undefined || !isMonth(month) ? undefined : withYear(tokens, at, at + 2, monthOf(month) + 1, day);
}

function withYear(tokens: readonly Token[], at: number, end: number, month: number, day: number): WrittenDay {
  const year = tokens[end];
  return isYear(year) ? { year: year.value, month, day, length: end + 1 - at } : { month, day, length: end - at };
}

/** A whole number of one or two digits. */
function numberOf(token: Token | undefined): number | undefined {
  return token?.kind === "number" && /^\d{1,2}$/.test(token.text) ? token.value : undefined;
}

function ordinalOf(token: Token | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)$/i.exec(token?.text ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
