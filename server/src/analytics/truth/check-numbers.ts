import type { ResultSet } from "#warehouse";
import { type Facts, factsOf } from "./facts.ts";
import { quarterOf, takeDays } from "./written-days.ts";
import { type WrittenNumber, writtenNumbers } from "./written-numbers.ts";

/** A text with what could not be found in the rows taken out. */
export interface CheckedText {
  readonly text: string;
  /** Sentences that named a number which is in no row. */
  readonly removed: readonly string[];
}

/**
 * Takes out each sentence that states a number which is neither in the rows (rounded as it is written) nor in what was asked (CA-25):
 * in digits or words, as a date, a percentage, a part or a multiple. `known`: texts whose numbers may be repeated, such as the
 * question and the SQL.
 */
export function checkNumbers(text: string, results: readonly ResultSet[], known: readonly string[]): CheckedText {
  const facts = factsOf(results, known);
  return sieve(text, (sentence) => isTrue(sentence, facts));
}

/** What a program found is computed, so its numbers are new; one that only stands written in the program was made up. */
export function checkFinding(text: string, results: readonly ResultSet[], code: string): string {
  const facts = factsOf(results, []);
  const written = writtenNumbers(code.replace(/[a-z_]\w*/gi, " "));
  const madeUp = (number: WrittenNumber) =>
    Math.abs(number.value) > 100 || !Number.isInteger(number.value)
      ? written.some(({ value }) => value === number.value) && !agrees(number, facts)
      : false;
  return sieve(text, (sentence) => !writtenNumbers(takeDays(sentence).rest).some(madeUp)).text;
}

function sieve(text: string, keeps: (sentence: string) => boolean): CheckedText {
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

function sentencesOf(line: string): readonly string[] {
  return line.match(/[^.!?]*(?:\.(?=\d)[^.!?]*)*(?:[.!?]+\s*|$)/gu)?.filter((sentence) => sentence !== "") ?? [line];
}

function isTrue(sentence: string, facts: Facts): boolean {
  const { rest: dayless, days } = takeDays(sentence);
  if (!days.every((day) => isKnownDay(day, facts))) return false;
  const rest = dayless.replace(/\bQ([1-4])(?:\s+(?:of\s+)?(\d{4}))?\b/gi, (whole, quarter, year) =>
    facts.days.some((day) => isQuarter(day, Number(quarter), year)) ? " " : whole,
  );
  return writtenNumbers(rest).every((number) => agrees(number, facts));
}

/** "March 2025" where only the question has it: its year was asked, or its numbers stand in the rows. */
function isKnownDay(day: string, { days, numbers }: Facts): boolean {
  if (days.some((fact) => fact.startsWith(day) || fact.slice(4).startsWith(day))) return true;
  const [year = "", month, date] = day.split("-");
  return date === undefined && month !== undefined && days.length === 0 && numbers.includes(Number(year));
}

function isQuarter(day: string, quarter: number, year: string | undefined): boolean {
  const own = quarterOf(day);
  return own.quarter === quarter && (year === undefined || own.year === Number(year));
}

/** The sign may be in the words ("fell by 3"), but a minus is a minus. Things are counted off up to the number of rows. */
function agrees({ value, tolerance, percent, counting }: WrittenNumber, { numbers, percents, rows }: Facts): boolean {
  const close = (fact: number) => Math.abs(Math.abs(value) - Math.abs(fact)) <= tolerance && (value >= 0 || fact <= 0);
  if (percent) return percents.some(close);
  if (counting && Number.isInteger(value) && value >= 1 && value <= rows) return true;
  return numbers.some(close);
}
