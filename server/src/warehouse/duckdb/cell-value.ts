import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { type JsonValue, textOrJson } from "#base";

/** A cell in the form of the API: scalars as strings, NULL as null, lists and structs as such (CA-18). */
export function toCell(value: DuckDBValue): JsonValue {
  if (value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toCell);
  if (value instanceof DuckDBStructValue) return mapEntries(Object.entries(value.entries));
  if (value instanceof DuckDBMapValue)
    return mapEntries(value.entries.map(({ key, value: item }) => [cellText(key), item]));
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString("base64");
  if (value instanceof DuckDBTimestampValue) return value.toString().replace(" ", "T");
  if (value instanceof DuckDBTimestampTZValue) return value.toString().replace(" ", "T").replace(/\+00$/, "Z");
  return String(value);
}

function mapEntries(entries: readonly (readonly [string, DuckDBValue])[]): JsonValue {
  return Object.fromEntries(entries.map(([key, value]) => [key, toCell(value)]));
}

function cellText(value: DuckDBValue): string {
  return textOrJson(toCell(value));
}
