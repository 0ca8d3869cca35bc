import { type JsonObject, type JsonValue, textOrJson } from "#base";

/** Most rows, and most characters of a cell. */
const MAX_ROWS = 20;
const MAX_CELL_WIDTH = 40;
const NUMBERS = new Set(["INTEGER", "FLOAT", "NUMERIC", "BIGNUMERIC", "INT64", "FLOAT64"]);

/** Rows as a text table: numbers right-aligned with thousands separators, long texts truncated. */
export function terminalTable(
  columns: readonly { readonly name: string; readonly type: string }[],
  rows: readonly JsonObject[],
): string {
  const shown = rows.slice(0, MAX_ROWS);
  const broken = new Set(columns.filter(({ name }) => shown.some((row) => /\.\d/.test(String(row[name] ?? "")))));
  const cells = [
    columns.map(({ name }) => name),
    ...shown.map((row) =>
      columns.map((column) => cellText(row[column.name] ?? null, column.type, broken.has(column) ? 2 : 0)),
    ),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) =>
        NUMBERS.has(columns[at]?.type ?? "") ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const [head = [], ...body] = cells;
  const more =
    rows.length > MAX_ROWS ? [`… and ${rows.length - MAX_ROWS} more rows`] : rows.length === 0 ? ["(no rows)"] : [];
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line), ...more].join("\n");
}

/** Numbers of one column have the same number of decimal places, so that they align. */
function cellText(cell: JsonValue, type: string, places: number): string {
  if (cell === null) return "–";
  const text = textOrJson(cell);
  if (NUMBERS.has(type) && text.trim() !== "" && Number.isFinite(Number(text))) {
    return Number(text).toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: 2 });
  }
  // Control characters in a cell must not move the cursor.
  const plain = text.replace(/\p{Cc}+/gu, " ");
  return plain.length > MAX_CELL_WIDTH ? `${plain.slice(0, MAX_CELL_WIDTH - 1)}…` : plain;
}
