import { once } from "#base";
import type { ResultSet } from "#warehouse";
import { type KnownValues, knownValuesOf } from "./known-values.ts";
import { matchNamedCells } from "./match-named-cells.ts";
import { matchRowLabels } from "./match-row-labels.ts";
import { type NumberStyle, numberStyleOf, withAsciiDigits } from "./number-style.ts";
import { extractDates, isDay, monthNames, quarterOf, type WrittenDate } from "./parse-dates.ts";
import { parseNumbers, type WrittenNumber } from "./parse-numbers.ts";
import { labelsIn, type RowLabels, rowLabels } from "./row-labels.ts";
import { sharesIn } from "./shares.ts";

/** A text without the sentences that could not be verified. */
interface VerifiedText {
  readonly text: string;
  /** Sentences that named a number which is in no row. */
  readonly removed: readonly string[];
}

/** Statements that answer a part of the rows, so that the sum of a column is no total. */
const PARTIAL = /\b(?:limit|fetch|qualify|having|top)\b/i;

/**
 * Removes each sentence with a number that is neither in the rows (rounded as it is written) nor in the known texts (CA-25):
 * in digits or words, with a decimal point or comma, as a date, a percentage, a part or a multiple. `known`: texts whose numbers may be
 * repeated, such as the question and the SQL.
 */
export function verifyNumbers(text: string, results: readonly ResultSet[], known: readonly string[]): VerifiedText {
  const facts = knownValuesOf(results, known);
  const labels = rowLabels(results, !known.some((one) => PARTIAL.test(one)));
  const style = numberStyleOf(extractDates(text).rest);
  return filterSentences(text, (sentence) => isVerified(withAsciiDigits(sentence), style, facts, labels));
}

/** Verifies the finding of a program. Computed numbers are new; a number that is a literal of the program was invented. */
export function verifyFinding(text: string, results: readonly ResultSet[], code: string): string {
  const facts = knownValuesOf(results, []);
  const written = parseNumbers(code.replace(/[a-z_]\w*/gi, " "));
  const madeUp = (number: WrittenNumber) =>
    Math.abs(number.value) > 100 || !Number.isInteger(number.value)
      ? written.some(({ value }) => value === number.value) && !agrees(number, facts, [])
      : false;
  return filterSentences(text, (sentence) => !parseNumbers(extractDates(sentence).rest).some(madeUp)).text;
}

function filterSentences(text: string, keeps: (sentence: string) => boolean): VerifiedText {
  const removed: string[] = [];
  const lines = text.split("\n").map((line) => {
    const [marker = ""] = /^\s*(?:#+\s+|[-*]\s+|\d+[.)]\s+)/.exec(line) ?? []; // the number of a list's line states nothing
    const kept = sentencesOf(line.slice(marker.length)).filter((sentence) => {
      const isKept = keeps(sentence);
      if (!isKept) removed.push(sentence.trim());
      return isKept;
    });
    return kept.length > 0 ? marker + kept.join("") : "";
  });
  if (removed.length === 0) return { text, removed };
  const rest = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return { text: rest.trim(), removed };
}

/** A point ends no sentence within a number, nor behind the day of a month ("3. März"). */
const sentencePattern = once(
  () =>
    new RegExp(`[^.!?]*(?:\\.(?:(?=\\d)|(?<=\\d\\.)(?=\\s(?:\\d|${monthNames()})))[^.!?]*)*(?:[.!?]+\\s*|$)`, "giu"),
);

function sentencesOf(line: string): readonly string[] {
  return line.match(sentencePattern())?.filter((sentence) => sentence !== "") ?? [line];
}

function isVerified(sentence: string, style: NumberStyle, facts: KnownValues, rows: RowLabels): boolean {
  const { rest: dayless, dates } = extractDates(sentence);
  if (!dates.every((date) => isKnownDay(date, facts))) return false;
  const rest = dayless.replace(/\bQ([1-4])(?:\s+(?:of\s+)?(\d{4}))?\b/gi, (whole, quarter, year) =>
    facts.days.some((day) => isQuarter(day, Number(quarter), year)) ? " ".repeat(whole.length) : whole,
  );
  const numbers = parseNumbers(rest, style);
  if (numbers.length === 0) return true;
  const labels = labelsIn(sentence, dates, rows);
  const shares = numbers.some(({ percent }) => percent) ? sharesIn(sentence, numbers, labels, rows) : [];
  return (
    numbers.every((number) => agrees(number, facts, shares)) &&
    matchRowLabels(numbers, labels, rows) &&
    matchNamedCells(sentence, numbers, rows)
  );
}

/** "March 2025" where the rows have no dates: the year must be in the question or in the rows. */
function isKnownDay(date: WrittenDate, { days, numbers }: KnownValues): boolean {
  if (days.some((day) => isDay(day, date))) return true;
  const [year = "", month, day] = date.readings[0]?.split("-") ?? [];
  return day === undefined && month !== undefined && days.length === 0 && numbers.includes(Number(year));
}

function isQuarter(day: string, quarter: number, year: string | undefined): boolean {
  const own = quarterOf(day);
  return own.quarter === quarter && (year === undefined || own.year === Number(year));
}

/** The sign may be in the words ("fell by 3"), but a minus must match. Counts may be as large as the number of rows. */
function agrees(
  { value, tolerance, percent, counting }: WrittenNumber,
  { numbers, percents, rows }: KnownValues,
  shares: readonly number[],
): boolean {
  const close = (fact: number) => Math.abs(Math.abs(value) - Math.abs(fact)) <= tolerance && (value >= 0 || fact <= 0);
  if (percent) return percents.some(close) || shares.some(close);
  if (counting && Number.isInteger(value) && value >= 1 && value <= rows) return true;
  return numbers.some(close);
}
