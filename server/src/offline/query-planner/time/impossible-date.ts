import { type Token, tokenize } from "#analytics";
import { isYear } from "./months.ts";
import { isInCalendar, readWrittenDay } from "./written-day.ts";

/** A date that the calendar does not have, as it is written. */
interface ImpossibleDate {
  readonly text: string;
  /** The number of its tokens. */
  readonly length: number;
}

/** "30 February 2026", "2026-13-01", "31 April", "week 54", "Q5" at `at`. */
export function impossibleDate(tokens: readonly Token[], at: number): ImpossibleDate | undefined {
  const length = impossibleDay(tokens, at) ?? impossibleMonth(tokens, at) ?? impossibleUnit(tokens, at);
  return length === undefined ? undefined : { text: textOf(tokens.slice(at, at + length)), length };
}

/** The first such date of a question, as it is written. */
export function impossibleDateIn(question: string): string | undefined {
  const tokens = tokenize(question);
  return tokens.map((_, at) => impossibleDate(tokens, at)).find((date) => date !== undefined)?.text;
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, joined = " " }, at) => (at === 0 ? text : `${joined}${text}`)).join("");
}

/** "April 50" without a year may be a month and a number. */
function impossibleDay(tokens: readonly Token[], at: number): number | undefined {
  const day = readWrittenDay(tokens, at);
  if (!day || isInCalendar(day) || (day.year === undefined && (day.day > 31 || day.day < 1))) return undefined;
  return day.length;
}

/** "2026-13". */
function impossibleMonth(tokens: readonly Token[], at: number): number | undefined {
  const [year, month, next] = tokens.slice(at, at + 3);
  if (!isYear(year) || month?.joined !== "-" || next?.joined || !/^\d\d$/.test(month.text)) return undefined;
  return Number(month.text) < 1 || Number(month.text) > 12 ? 2 : undefined;
}

/** The largest numbers that weeks and quarters of a year have. */
const LAST: Readonly<Record<string, number>> = { week: 53, quarter: 4 };
/** Behind these, a unit is no number's: "per week 60". */
const COUNTED = new Set(["per", "each", "every", "by", "a", "last", "past", "previous", "this", "next"]);

/** "week 54", "week 53 of 2025", "quarter 5", "Q5 2026". */
function impossibleUnit(tokens: readonly Token[], at: number): number | undefined {
  const [unit, number, third, fourth] = tokens.slice(at, at + 4);
  const named = third?.stem === "of" || third?.stem === "in" ? fourth : third;
  const short = /^q(\d)$/i.exec(unit?.text ?? "")?.[1];
  if (short !== undefined) return "1234".includes(short) ? undefined : isYear(number) ? 2 : 1;
  const last = LAST[unit?.stem ?? ""];
  if (last === undefined || number?.kind !== "number" || number.value === undefined || !/^\d+$/.test(number.text))
    return undefined;
  if (COUNTED.has(tokens[at - 1]?.stem ?? "")) return undefined;
  const length = isYear(named) ? (named === fourth ? 4 : 3) : 2;
  if (number.value < 1 || number.value > last) return length;
  return last === 53 && number.value === 53 && isYear(named) && !hasWeek53(named.value) ? length : undefined;
}

/** Of the weeks that begin on Monday, the first has the fourth of January: years that begin or end on a Thursday have 53. */
function hasWeek53(year: number): boolean {
  return [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year, 11, 31))].some((day) => day.getUTCDay() === 4);
}
