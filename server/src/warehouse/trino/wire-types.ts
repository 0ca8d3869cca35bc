import type { JsonValue } from "#base";
import type { Column } from "../contract.ts";
import { leavesAsText } from "../remote/collect-rows.ts";

/** GoogleSQL types by Trino's, without their parameters; others are STRING. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ tinyint: "INT64", smallint: "INT64", integer: "INT64", bigint: "INT64", real: "FLOAT64", double: "FLOAT64" },
  ...{
    decimal: "NUMERIC",
    boolean: "BOOL",
    date: "DATE",
    time: "TIME",
    varbinary: "BYTES",
    json: "JSON",
    map: "JSON",
    row: "JSON",
  },
};

/** A column of a table or a result by Trino's name of its type; an array is a repeated one. */
export function toColumn(name: string, type: string): Column {
  const [, element] = /^array\((.*)\)$/i.exec(type) ?? [];
  return { name, type: nameOf(element ?? type), mode: element === undefined ? "NULLABLE" : "REPEATED" };
}

function nameOf(type: string): string {
  if (/^timestamp.*with time zone$/i.test(type)) return "TIMESTAMP";
  if (/^timestamp/i.test(type)) return "DATETIME";
  return NAMES[type.replace(/[( ].*$/s, "").toLowerCase()] ?? "STRING";
}

/** A cell of the protocol as the API writes it (CA-18); the session is in UTC. */
export function toCell(value: unknown, { type, mode }: Column): JsonValue {
  const cell = leavesAsText(value);
  if (mode === "REPEATED" || typeof cell !== "string") return cell;
  if (type === "TIMESTAMP") return cell.replace(" ", "T").replace(/ UTC$/, "Z");
  return type === "DATETIME" ? cell.replace(" ", "T") : cell;
}
