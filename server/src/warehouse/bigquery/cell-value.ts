import { isJsonObject, type JsonValue, textOrJson } from "#base";
import type { Column } from "../contract.ts";

/**
 * A cell in the form of the API (CA-18), from BigQuery's JSON: `{v: text}`, a list of such cells where the column is
 * repeated, `{v: {f: [cells]}}` for a STRUCT. Timestamps are whole microseconds, because the job requests them so.
 */
function toCell(cell: JsonValue | undefined, column: Column): JsonValue {
  const value = isJsonObject(cell) ? (cell.v ?? null) : null;
  if (value === null) return column.mode === "REPEATED" ? [] : null;
  if (column.mode !== "REPEATED") return single(value, column);
  const item: Column = { ...column, mode: "NULLABLE" };
  return Array.isArray(value) ? value.map((one) => toCell(one, item)) : [];
}

/** A row of the JSON, `{f: [cells]}`. */
export function toRow(row: JsonValue, columns: readonly Column[]): JsonValue[] {
  const cells = isJsonObject(row) && Array.isArray(row.f) ? row.f : [];
  return columns.map((column, at) => toCell(cells[at], column));
}

function single(value: JsonValue, { type, fields }: Column): JsonValue {
  if (fields) {
    const cells = toRow(value, fields);
    return Object.fromEntries(fields.map(({ name }, at) => [name, cells[at] ?? null]));
  }
  const text = textOrJson(value);
  return type === "TIMESTAMP" && /^-?\d+$/.test(text) ? isoTime(BigInt(text)) : text;
}

/** Microseconds since 1970 as ISO 8601, the fraction without trailing zeros. */
function isoTime(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1_000n)).toISOString().slice(0, 19);
  const digits = fraction === 0n ? "" : `.${String(fraction).padStart(6, "0").replace(/0+$/, "")}`;
  return `${seconds}${digits}Z`;
}
