import type { JsonValue } from "#base";
import { type Column, type QueryLimits, rowTooLarge } from "../contract.ts";

/** Takes rows until a limit. */
interface RowCollector {
  readonly rows: readonly (readonly JsonValue[])[];
  /** Whether more rows came than there is room for. */
  readonly truncated: boolean;
  /** Throws `QueryError` where the first row is over the limit. */
  add(row: readonly JsonValue[]): void;
}

/** Takes at most as many rows, and as many bytes of them in JSON, as the limits say. */
export function collectRows({ maxRows, maxBytes }: QueryLimits): RowCollector {
  const rows: (readonly JsonValue[])[] = [];
  let bytes = 0;
  let truncated = false;
  return {
    rows,
    get truncated() {
      return truncated;
    },
    add(row) {
      if (truncated) return;
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes && rows.length === 0) throw rowTooLarge(maxBytes);
      truncated = rows.length === maxRows || bytes > maxBytes;
      if (!truncated) rows.push(row);
    },
  };
}

/** Adds the rows of an answer in JSON, each a list of cells. An answer without rows has none. */
export function addRows(
  collector: RowCollector,
  data: unknown,
  toRow: (cells: readonly unknown[]) => readonly JsonValue[],
): void {
  for (const cells of Array.isArray(data) ? data : []) if (Array.isArray(cells)) collector.add(toRow(cells));
}

/** A repeated name gets a number. */
export function withDistinctNames(columns: readonly Column[]): readonly Column[] {
  const seen = new Map<string, number>();
  return columns.map((column) => {
    const count = seen.get(column.name) ?? 0;
    seen.set(column.name, count + 1);
    return count === 0 ? column : { ...column, name: `${column.name}_${count}` };
  });
}

/** Scalars as texts, lists and structs with texts as leaves (CA-18). */
export function leavesAsText(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(leavesAsText);
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, leavesAsText(inner)]));
}
