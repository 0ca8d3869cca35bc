import type { JsonValue } from "#base";
import type { Column, ResultSet } from "#warehouse";
import type { ChartHint } from "../contract.ts";
import { isNumber, isTime } from "./drawn-column.ts";

/** The largest of one number may be so many times that of another on the same axis. */
const MOST_FOLD = 20;
/** Names with a bar for each number, and times with a point, at most. */
const MOST_NAMES = 24;
const MOST_MOMENTS = 1000;

const MEASURE: Column = { name: "measure", type: "STRING", mode: "NULLABLE" };
const VALUE: Column = { name: "value", type: "FLOAT64", mode: "NULLABLE" };

type Drawn = Pick<ResultSet, "columns" | "rows"> & { readonly hint: ChartHint };

/** Several numbers as one column with a row for each of them, so that all are drawn (CA-114). As they were, where one axis cannot show them. */
export function withNumbersBeside({ columns, rows }: Pick<ResultSet, "columns" | "rows">, hint: ChartHint): Drawn {
  // The title names all of them.
  const { beside, title: _title, ...one } = hint;
  if (!beside || beside.length === 0) return { columns, rows, hint };
  const named = (name: string | undefined) => columns.find((column) => column.name === name && isNumber(column));
  const numbers = [hint.y, ...beside].map(named).filter((column): column is Column => column !== undefined);
  const x = columns.find(({ name }) => name === hint.x);
  const canShow =
    x &&
    x.name !== MEASURE.name &&
    x.name !== VALUE.name &&
    rows.length > 1 &&
    rows.length <= (isTime(x) ? MOST_MOMENTS : MOST_NAMES);
  if (
    !canShow ||
    numbers.length <= beside.length ||
    !areOfOneSize(numbers.map((column) => cellsOf(column, columns, rows)))
  )
    return { columns, rows, hint: one };
  const at = columns.indexOf(x);
  return {
    columns: [x, MEASURE, VALUE],
    rows: rows.flatMap((row) =>
      numbers.map((column) => [
        row[at] ?? null,
        column.name.replaceAll("_", " "),
        row[columns.indexOf(column)] ?? null,
      ]),
    ),
    hint: { ...hint, mark: isTime(x) ? "line" : "bar", y: VALUE.name, series: MEASURE.name },
  };
}

function cellsOf(column: Column, columns: readonly Column[], rows: ResultSet["rows"]): readonly JsonValue[] {
  return rows.map((row) => row[columns.indexOf(column)] ?? null);
}

function areOfOneSize(numbers: readonly (readonly JsonValue[])[]): boolean {
  const largest = numbers.map((cells) => Math.max(...cells.map((cell) => Math.abs(Number(cell ?? 0)))));
  return Math.max(...largest) <= MOST_FOLD * Math.min(...largest);
}
