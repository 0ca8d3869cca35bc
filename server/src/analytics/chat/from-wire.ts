import type { DataResult } from "@frontdesk/protos/gda/data_chat_service";
import type { JsonValue } from "#base";
import type { Column, ResultSet } from "#warehouse";

const STANDARD: Readonly<Record<string, string>> = {
  INTEGER: "INT64",
  FLOAT: "FLOAT64",
  BOOLEAN: "BOOL",
  RECORD: "STRUCT",
};

/** Rows of an earlier message, as the engine gave them; clients send them back as they came. */
export function fromDataResult({ schema, data }: DataResult): ResultSet {
  const columns = (schema?.fields ?? []).map(
    ({ name, type, mode }): Column => ({
      name,
      type: STANDARD[type] ?? type,
      mode: mode === "REPEATED" || mode === "REQUIRED" ? mode : "NULLABLE",
    }),
  );
  const rows = data.map((row) => columns.map(({ name }) => (row[name] ?? null) as JsonValue));
  return { columns, rows, truncated: false, durationMs: 0 };
}
