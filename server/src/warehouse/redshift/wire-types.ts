import type { JsonValue } from "#base";
import type { Column } from "../contract.ts";
import { toCell as toPostgresCell } from "../postgres/cell-value.ts";
import { toColumn as toPostgresColumn } from "../postgres/wire-types.ts";

const SUPER = 4000;
const VARBYTE = 6551;

/** Types that Redshift has beside those of PostgreSQL, by OID. */
const OWN: Readonly<Record<number, string>> = {
  ...{ [SUPER]: "JSON", [VARBYTE]: "BYTES" },
  ...{ 1188: "INTERVAL", 1190: "INTERVAL", 3000: "GEOGRAPHY", 3001: "GEOGRAPHY" },
};

/** A column of a result. */
export function toColumn(name: string, type: number): Column {
  const own = OWN[type];
  return own ? { name, type: own, mode: "NULLABLE" } : toPostgresColumn(name, type);
}

/** A cell in the form of the API (CA-18), from the text on the wire. */
export function toCell(text: string | null, type: number): JsonValue {
  if (type === VARBYTE && text !== null) return Buffer.from(text, "hex").toString("base64");
  return toPostgresCell(text, type);
}

/** GoogleSQL types by the names of the catalog; others are STRING. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(smallint|integer|bigint|int[248])$/, "INT64"],
  [/^(numeric|decimal)/, "NUMERIC"],
  [/^(real|double precision|float)/, "FLOAT64"],
  [/^bool/, "BOOL"],
  [/^date$/, "DATE"],
  [/^(timestamp with time zone|timestamptz)/, "TIMESTAMP"],
  [/^timestamp/, "DATETIME"],
  [/^time/, "TIME"],
  [/^interval/, "INTERVAL"],
  [/^(super|array|map|struct)/, "JSON"],
  [/^(varbyte|binary varying)/, "BYTES"],
  [/^geo/, "GEOGRAPHY"],
];

/** The type of a column of a table. */
export function typeOfColumn(type: string): string {
  return NAMES.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? "STRING";
}
