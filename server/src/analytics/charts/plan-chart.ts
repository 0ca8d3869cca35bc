import { definedFields } from "#base";
import type { Column, ResultSet } from "#warehouse";
import type { ChartHint } from "../contract.ts";
import { isNumber, isTime, spoken } from "./drawn-column.ts";
import { withNumbersBeside } from "./numbers-beside.ts";

/** What a chart shows, decided: which columns go where. */
export interface ChartPlan {
  readonly mark: NonNullable<ChartHint["mark"]>;
  readonly x: Column;
  readonly y: Column;
  readonly series?: Column;
  readonly title: string;
  /** The columns of `rows`. */
  readonly columns: readonly Column[];
  /** The rows that are drawn. */
  readonly rows: ResultSet["rows"];
}

/** Maximum marks of a chart; more cannot be distinguished. */
const MAX_MARKS = 5000;
/** Slices of a pie, and colours of a legend, at most. */
const MAX_COLOURS = 12;
/** Bars of one chart, at most: more are no taller than a line. */
const MAX_BARS = 50;

/** Decides how rows are drawn. Undefined where a chart would show nothing: one row, no number, or only numbers in one column. */
export function planChart(result: ResultSet, asked: ChartHint = {}): ChartPlan | undefined {
  const { columns, rows: all, hint } = withNumbersBeside(result, asked);
  const chosen = all.length < 2 ? undefined : chooseColumns(columns, all, hint);
  if (!chosen) return undefined;
  const { x, y, series } = chosen;
  const fewer = withFewColours({ columns, rows: all }, y, series);
  const mark = chooseMark(hint.mark, chosen, { columns, rows: fewer.rows });
  const drawn = /bar$/.test(mark) && !isTime(x) && !isNumber(x) ? withFewBars(fewer, columns.indexOf(x)) : fewer;
  if (drawn.rows.length > MAX_MARKS) return undefined;
  const title = hint.title ?? `${spoken(y.name)} by ${spoken(x.name).toLowerCase()}`;
  const left = [...new Set([fewer.left, drawn.left])].filter((one) => one !== "");
  return {
    mark,
    x,
    y,
    ...definedFields({ series }),
    columns,
    title: left.length > 0 ? `${title} (${left.join(", ")})` : title,
    rows: drawn.rows,
  };
}

/** Which columns go where; undefined where there is nothing to draw. */
function chooseColumns(columns: readonly Column[], rows: ResultSet["rows"], hint: ChartHint) {
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
  return { x, y, series };
}

/** Rows to draw, and what the title says of the others. */
interface Drawn {
  readonly rows: ResultSet["rows"];
  readonly left: string;
}

/** The largest of many series; a legend of hundreds of colours says nothing. */
function withFewColours(
  { columns, rows }: Pick<ResultSet, "columns" | "rows">,
  y: Column,
  series: Column | undefined,
): Drawn {
  if (!series) return { rows, left: "" };
  const [own, measured] = [columns.indexOf(series), columns.indexOf(y)];
  const sums = new Map<unknown, number>();
  for (const row of rows) sums.set(row[own], (sums.get(row[own]) ?? 0) + Math.abs(Number(row[measured] ?? 0)));
  if (sums.size <= MAX_COLOURS) return { rows, left: "" };
  const largest = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, MAX_COLOURS);
  const kept = new Set(largest.map(([value]) => value));
  return {
    rows: rows.filter((row) => kept.has(row[own])),
    left: `the ${MAX_COLOURS} largest of ${sums.size.toLocaleString("en-US")} ${spoken(series.name).toLowerCase()}`,
  };
}

/** The first of many bars, in the order of the rows. */
function withFewBars({ rows, left }: Drawn, at: number): Drawn {
  const names = new Set(rows.map((row) => row[at]));
  if (names.size <= MAX_BARS) return { rows, left };
  const kept = new Set([...names].slice(0, MAX_BARS));
  return {
    rows: rows.filter((row) => kept.has(row[at])),
    left: `the first ${MAX_BARS} of ${names.size.toLocaleString("en-US")}`,
  };
}

/** The requested mark where it can show these columns; else the usual one for them. */
function chooseMark(
  hinted: ChartHint["mark"],
  { x, y, series }: { readonly x: Column; readonly y: Column; readonly series: Column | undefined },
  { columns, rows }: Pick<ResultSet, "columns" | "rows">,
): ChartPlan["mark"] {
  const longest = longestName(columns.indexOf(x), rows);
  const usual = isTime(x)
    ? "line"
    : isNumber(x) && !isCategory(x, columns, rows)
      ? "scatter"
      : series
        ? NO_PART.test(y.name)
          ? "bar"
          : "stacked-bar"
        : rows.length > 8 || longest > LONG_NAME
          ? "horizontal-bar"
          : "bar";
  if (!hinted) return usual;
  // Long and many names stand beside bars, not under them.
  const isList = !series && !isTime(x) && !isNumber(x);
  if (hinted === "bar" && isList && (longest > LONG_NAME || rows.length > MAX_UPRIGHT)) return "horizontal-bar";
  // Of a number below zero no slice can be cut.
  const isNegative = rows.some((row) => Number(row[columns.indexOf(y)] ?? 0) < 0);
  if (hinted === "pie" && (series !== undefined || rows.length > MAX_COLOURS || isNegative)) return usual;
  if (hinted === "heatmap" && !series) return usual;
  return hinted;
}

/** Years, and 0 and 1, are what other numbers are of: each has one bar. */
function isCategory(x: Column, columns: readonly Column[], rows: ResultSet["rows"]): boolean {
  if (x.type !== "INT64" || rows.length > MAX_BARS) return false;
  const cells = rows.map((row) => String(row[columns.indexOf(x)]));
  const isOnce = new Set(cells).size === cells.length;
  return isOnce && (/(^|[_\s])year$/i.test(x.name) || cells.every((cell) => cell === "0" || cell === "1"));
}

/** Numbers that are no parts of a whole, by their names: stacked, they would look like one (CA-108). */
const NO_PART =
  /(^|[_\s])(avg|average|mean|median|percentile|min|minimum|max|maximum|lowest|highest|rate|ratio|percent|pct|per)([_\s]|$)/i;

/** Bars whose names stand under them, at most. */
const MAX_UPRIGHT = 16;
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
