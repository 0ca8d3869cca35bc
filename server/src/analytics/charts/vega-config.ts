import type { JsonObject, JsonValue } from "#base";
import type { Column, ResultSet } from "#warehouse";
import { isNumber, isTime, spoken } from "./drawn-column.ts";
import type { ChartPlan } from "./plan-chart.ts";
import { hasGaps, withGaps } from "./time-gaps.ts";
import { axisGrain, numberFormat, timeAxis } from "./time-grain.ts";

/** The chart as Vega-Lite, rows inlined with numbers as numbers (CA-20), bars of times over their names (CA-119). */
export function vegaConfig(plan: ChartPlan): JsonObject {
  const { columns, rows } = plan;
  const drawn = columns.filter((column) => column === plan.x || column === plan.y || column === plan.series);
  const values = withoutBridges(plan, columns).map((row) =>
    Object.fromEntries(drawn.map((column) => [fieldOf(column), cellOf(column, row[columns.indexOf(column)] ?? null)])),
  );
  const cellsOf = (column: Column) => rows.map((row) => row[columns.indexOf(column)] ?? null);
  return { title: plan.title, data: { values }, ...shape(plan, cellsOf) };
}

/** The rows that are drawn; a line does not bridge times without rows. */
function withoutBridges({ mark, rows, x, y, series }: ChartPlan, columns: readonly Column[]): ResultSet["rows"] {
  const isLine = mark === "line" || (mark === "area" && !series);
  if (!isLine || x.type !== "DATE") return rows;
  const at = { x: columns.indexOf(x), y: columns.indexOf(y), series: series && columns.indexOf(series) };
  return withGaps(rows, at);
}

/** The cells of a column, which decide how its axis is labelled. */
type CellsOf = (column: Column) => readonly JsonValue[];

function shape(plan: ChartPlan, cellsOf: CellsOf): JsonObject {
  const { x, y, series } = plan;
  const channel = (column: Column) => channelOf(column, cellsOf);
  const measured = (column: Column) =>
    isNumber(column) ? withAxis(channel(column), cellsOf(column)) : channel(column);
  // Bars of years or of 0 and 1 stand side by side, not at their place between 0 and 2,000; those of times over their names, and not between two.
  const positioned = (column: Column) =>
    isNumber(column) && /bar$/.test(plan.mark)
      ? { ...channel(column), type: "ordinal", axis: { labelOverlap: true, ...levelLabels(cellsOf(column)) } }
      : column.type === "DATE" && /bar$/.test(plan.mark) && !hasGaps(cellsOf(column))
        ? { ...channel(column), type: "ordinal", axis: { ...timeAxis(axisGrain(cellsOf(column))), labelAngle: 0 } }
        : positionOf(column, channel(column), cellsOf(column));
  const colour: JsonObject = series ? { color: channel(series) } : {};
  switch (plan.mark) {
    case "pie":
      return {
        mark: { type: "arc", tooltip: true },
        encoding: {
          theta: channel(y),
          color: { ...channel(x), sort: null },
          order: { field: fieldOf(y), type: "quantitative", sort: "descending" },
        },
      };
    case "heatmap":
      return {
        mark: { type: "rect", tooltip: true },
        encoding: { x: positioned(x), y: positioned(series ?? x), color: channel(y) },
      };
    case "horizontal-bar":
      return { mark: { type: "bar", tooltip: true }, encoding: { y: positioned(x), x: measured(y), ...colour } };
    case "bar":
      return {
        mark: { type: "bar", tooltip: true },
        encoding: {
          x: positioned(x),
          y: measured(y),
          ...colour,
          ...(series && { xOffset: { field: fieldOf(series) } }),
        },
      };
    case "stacked-bar":
      return {
        mark: { type: "bar", tooltip: true },
        encoding: { x: positioned(x), y: { ...measured(y), stack: "zero" }, ...colour },
      };
    case "line":
      return {
        // Of a long line, points are only there so that one between two gaps is seen.
        mark: { type: "line", tooltip: true, point: plan.rows.length > MANY_POINTS ? { size: 8 } : true },
        encoding: { x: positioned(x), y: measured(y), ...colour },
      };
    case "area":
      return { mark: { type: "area", tooltip: true }, encoding: { x: positioned(x), y: measured(y), ...colour } };
    case "scatter":
      return { mark: { type: "point", tooltip: true }, encoding: { x: measured(x), y: measured(y), ...colour } };
  }
}

/** Points of a line that can be told apart. */
const MANY_POINTS = 100;

function channelOf(column: Column, cellsOf: CellsOf): JsonObject {
  const named = { field: fieldOf(column), title: spoken(column.name) };
  if (isNumber(column)) return { ...named, type: "quantitative" };
  if (!isTime(column)) return { ...named, type: "nominal" };
  return {
    ...named,
    type: "temporal",
    ...(column.type === "DATE" && { timeUnit: axisGrain(cellsOf(column)).timeUnit }),
  };
}

function withAxis(channel: JsonObject, cells: readonly JsonValue[]): JsonObject {
  return { ...channel, axis: { labelOverlap: true, format: numberFormat(cells) } };
}

/** Pixels of a label; longer names are truncated, and complete in the tooltip. More where names that differ at their ends would look alike. */
const LABEL_LIMIT = 200;
const LABEL_LIMIT_OF_ALIKE = 380;
/** Letters that are left of a truncated name at least. */
const LETTERS_LEFT = 26;

function labelLimit(cells: readonly JsonValue[]): number {
  const names = new Set(cells.map(String));
  const begins = new Set([...names].map((name) => name.slice(0, LETTERS_LEFT)));
  return begins.size < names.size ? LABEL_LIMIT_OF_ALIKE : LABEL_LIMIT;
}

/** An axis of categories keeps the order of the rows; an axis of months shows months, not days. */
function positionOf(column: Column, channel: JsonObject, cells: readonly JsonValue[]): JsonObject {
  if (isNumber(column)) return withAxis(channel, cells);
  if (column.type === "DATE") return { ...channel, axis: timeAxis(axisGrain(cells)) };
  if (isTime(column)) return { ...channel, axis: { labelOverlap: true } };
  return { ...channel, sort: null, axis: { labelOverlap: true, labelLimit: labelLimit(cells), ...levelLabels(cells) } };
}

/** Pixels of a letter, and those that all labels under a chart may take. */
const LETTER = 8;
const LABELS_WIDTH = 480;

/** Names stand upright where they fit side by side. */
function levelLabels(cells: readonly JsonValue[]): JsonObject {
  const names = new Set(cells.map(String));
  const longest = Math.max(0, ...[...names].map((name) => name.length));
  return longest * LETTER * names.size <= LABELS_WIDTH ? { labelAngle: 0 } : {};
}

/** Vega reads a dot in a name as a path. */
function fieldOf({ name }: Column): string {
  return name.replaceAll(/[.[\]]/g, "_");
}

function cellOf(column: Column, cell: JsonValue): JsonValue {
  if (!isNumber(column) || cell === null) return cell;
  const number = Number(cell);
  return Number.isFinite(number) ? number : null;
}
