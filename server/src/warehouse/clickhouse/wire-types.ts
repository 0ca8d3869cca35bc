import type { JsonValue } from "#base";
import type { Column } from "../contract.ts";
import { leavesAsText } from "../remote/collect-rows.ts";

/** GoogleSQL types by the beginnings of ClickHouse's; others are STRING. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^U?Int(8|16|32|64)$/, "INT64"],
  [/^U?Int(128|256)$/, "BIGNUMERIC"],
  [/^(B?Float\d+)$/, "FLOAT64"],
  [/^Decimal/, "NUMERIC"],
  [/^Bool$/, "BOOL"],
  [/^Date(32)?$/, "DATE"],
  [/^DateTime/, "TIMESTAMP"],
  [/^(Tuple|Map|JSON|Object|Nested|Variant|Dynamic)/, "JSON"],
];

/** `LowCardinality(Nullable(String))` is a nullable text; `Array(…)` is repeated. */
export function toColumn(name: string, type: string): Column {
  const plain = type.replace(/^LowCardinality\((.*)\)$/, "$1");
  const [, element] = /^Array\((.*)\)$/.exec(plain) ?? [];
  if (element !== undefined) return { name, type: nameOf(element), mode: "REPEATED" };
  const [, nullable] = /^Nullable\((.*)\)$/.exec(plain) ?? [];
  return { name, type: nameOf(nullable ?? plain), mode: nullable === undefined ? "REQUIRED" : "NULLABLE" };
}

function nameOf(type: string): string {
  const plain = type.replace(/^(?:LowCardinality|Nullable)\((.*)\)$/, "$1");
  return NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? "STRING";
}

/** A cell of JSONCompactEachRow as the API writes it (CA-18); times are in UTC. */
export function toCell(value: unknown, { type, mode }: Column): JsonValue {
  const cell = leavesAsText(value);
  return type === "TIMESTAMP" && mode !== "REPEATED" && typeof cell === "string" ? `${cell.replace(" ", "T")}Z` : cell;
}
