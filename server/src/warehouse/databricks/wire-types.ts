import type { JsonValue } from "#base";
import type { Column } from "../contract.ts";
import { leavesAsText } from "../remote/collect-rows.ts";

/** GoogleSQL types by the beginnings of Databricks'; others are STRING. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(tinyint|smallint|int|integer|bigint|byte|short|long)$/, "INT64"],
  [/^(decimal|numeric|dec)/, "NUMERIC"],
  [/^(float|real|double)/, "FLOAT64"],
  [/^boolean/, "BOOL"],
  [/^date$/, "DATE"],
  [/^timestamp_ntz/, "DATETIME"],
  [/^timestamp/, "TIMESTAMP"],
  [/^binary/, "BYTES"],
  [/^(struct|map|array|variant|object)/, "JSON"],
];

/** `ARRAY<…>` is repeated, unless its items are lists or structs. */
export function toColumn(name: string, type: string): Column {
  const [, element] = /^array<(.*)>$/is.exec(type) ?? [];
  const repeated = element !== undefined && typeOf(element) !== "JSON";
  return { name, type: typeOf(repeated ? element : type), mode: repeated ? "REPEATED" : "NULLABLE" };
}

function typeOf(type: string): string {
  return NAMES.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? "STRING";
}

/** A cell of JSON_ARRAY as the API writes it (CA-18): all are texts. */
export function toCell(value: unknown, { type, mode }: Column): JsonValue {
  const cell = leavesAsText(value);
  if (typeof cell !== "string") return cell;
  if (mode === "REPEATED") return leavesAsText(JSON.parse(cell));
  return type === "TIMESTAMP" || type === "DATETIME" ? cell.replace(" ", "T") : cell;
}
