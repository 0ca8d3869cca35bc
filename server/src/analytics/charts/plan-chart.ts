import { definedFields } from "#base";
import type { Column, ResultSet } from "#warehouse";
import type { ChartHint } from "../contract.ts";

/** What a chart shows, decided: which columns go where. */
export interface ChartPlan {
  readonly mark: NonNullable<ChartHint["mark"]>;
  readonly x: Column;
  readonly y: Column;
  readonly series?: Column;
  readonly title: string;
}

/** Maximum marks of a chart; more cannot be distinguished. */
const MAX_MARKS = 5000;
/** Slices of a pie, and colours of a legend, at most. */
const MAX_COLOURS = 12;

/** Decides how rows are drawn. Undefined where a chart would show nothing: one row, no number, or only numbers in one column. */
export function planChart({ columns, rows }: ResultSet, hint: ChartHint = {}): ChartPlan | undefined {
  if (rows.length < 2 || rows.length > MAX_MARKS) return undefined;
  const named = (name: string | undefined) => columns.find((column) => column.name === name);
  const numbers = columns.filter(isNumber);
  const y = named(hint.y) ?? numbers.at(-1) ?? undefined;
  const x =
    named(hint.x) ??
    columns.find((column) => isTime(column)) ??
    columns.find((column) => column !== y && !isNumber(column)) ??
    numbers.find((column) => column !== y);
  if (!x || !y || x === y || !isNumber(y)) return undefined;
  const series = named(hint.series) ?? columns.find((column) => isSeries(column, [x, y], columns, rows));
  const mark = chooseMark(hint.mark, x, series, rows.length, longestName(columns.indexOf(x), rows));
  return {
    mark,
    x,
    y,
    ...definedFields({ series }),
    title: hint.title ?? `${spoken(y.name)} by ${spoken(x.name).toLowerCase()}`,
  };
}

/** The requested mark where it can show these columns; else the usual one for them. */
function chooseMark(
  hinted: ChartHint["mark"],
  x: Column,
  series: Column | undefined,
  rows: number,
  longest: number,
): ChartPlan["mark"] {
  const usual = isTime(x)
    ? "line"
    : isNumber(x)
      ? "scatter"
      : series
        ? "stacked-bar"
        : rows > 8 || longest > LONG_NAME
          ? "horizontal-bar"
          : "bar";
  if (!hinted) return usual;
  // Long names stand beside bars, not under them.
  if (hinted === "bar" && !series && !isTime(x) && longest > LONG_NAME) return "horizontal-bar";
  if (hinted === "pie" && (series !== undefined || rows > MAX_COLOURS)) return usual;
  if (hinted === "heatmap" && !series) return usual;
  return hinted;
}

/** Letters that fit under a bar. */
const LONG_NAME = 16;

function longestName(at: number, rows: ResultSet["rows"]): number {
  return rows.reduce((longest, row) => Math.max(longest, String(row[at] ?? "").length), 0);
}

function isSeries(
  column: Column,
  used: readonly Column[],
  columns: readonly Column[],
  rows: ResultSet["rows"],
): boolean {
  if (used.includes(column) || isNumber(column) || isTime(column)) return false;
  const at = columns.indexOf(column);
  return new Set(rows.map((row) => row[at])).size <= MAX_COLOURS;
}

export function isNumber({ type, mode }: Column): boolean {
  return mode !== "REPEATED" && ["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"].includes(type);
}

export function isTime({ type, mode }: Column): boolean {
  return mode !== "REPEATED" && ["DATE", "DATETIME", "TIMESTAMP"].includes(type);
}

/** A column's name as a title. */
export function spoken(name: string): string {
  const words = name.replaceAll(/[_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
