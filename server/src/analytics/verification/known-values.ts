import { type JsonValue, textOrJson } from "#base";
import type { ResultSet } from "#warehouse";
import { numberStyleOf } from "./number-style.ts";
import { extractDates } from "./parse-dates.ts";
import { parseNumbers } from "./parse-numbers.ts";

/** Values that an answer may state. */
export interface KnownValues {
  readonly numbers: readonly number[];
  /** Numbers of columns that are shares or growth, in percent or as parts of one. */
  readonly percents: readonly number[];
  /** Days as ISO dates. */
  readonly days: readonly string[];
  /** Number of rows of the largest result, the maximum of counts. */
  readonly rows: number;
}

const PERCENT_NAME = /percent|pct|share|rate|ratio|growth|change|margin|portion|%/i;

/** Numbers and days of cells, and of texts that may be repeated, such as the question and the SQL. */
export function knownValuesOf(results: readonly ResultSet[], known: readonly string[]): KnownValues {
  const cells = results.flatMap(({ columns, rows }) =>
    rows.flatMap((row) => row.flatMap((cell, at) => valuesOfCell(cell, columns[at]?.name ?? ""))),
  );
  const texts = [...known, ...results.flatMap(({ columns }) => columns.map(({ name }) => name))].map(valuesOfText);
  const all = [...cells, ...texts];
  return {
    numbers: [...all.flatMap(({ numbers }) => numbers), ...results.map(({ rows }) => rows.length)],
    percents: all.flatMap(({ percents }) => percents),
    days: all.flatMap(({ days }) => days),
    rows: Math.max(0, ...results.map(({ rows }) => rows.length)),
  };
}

type Some = Pick<KnownValues, "numbers" | "percents" | "days">;

function valuesOfCell(cell: JsonValue, column: string): readonly Some[] {
  if (cell === null) return [];
  const text = textOrJson(cell);
  const whole = Number(text);
  if (text.trim() === "" || !Number.isFinite(whole)) return [valuesOfText(text)];
  return [{ numbers: [whole], percents: percentsOf(whole, column), days: [] }];
}

/** What a cell is in percent: a part of one, or a value of a column that is named so. */
export function percentsOf(cell: number, column: string): readonly number[] {
  if (PERCENT_NAME.test(column)) return [cell, cell * 100];
  return Math.abs(cell) <= 1 && !Number.isInteger(cell) ? [cell * 100] : [];
}

/** The year of a day is a number by itself; its month and day are only parts of a date. */
function valuesOfText(text: string): Some {
  const { rest, dates } = extractDates(text);
  const days = dates.flatMap(({ readings }) => readings.filter((reading) => /^\d/.test(reading)));
  const written = parseNumbers(rest, numberStyleOf(rest));
  return {
    numbers: [...days.map((day) => Number(day.slice(0, 4))), ...written.map(({ value }) => value)],
    percents: written.filter(({ percent }) => percent).map(({ value }) => value),
    days,
  };
}
