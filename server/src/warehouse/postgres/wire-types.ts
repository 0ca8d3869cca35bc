import type { Column } from "../contract.ts";

/** GoogleSQL types by type OID. The OIDs are the same on every server (pg_type.dat). */
const NAMES: Readonly<Record<number, string>> = {
  16: "BOOL",
  17: "BYTES",
  20: "INT64",
  21: "INT64",
  23: "INT64",
  26: "INT64",
  114: "JSON",
  700: "FLOAT64",
  701: "FLOAT64",
  1082: "DATE",
  1083: "TIME",
  1114: "DATETIME",
  1184: "TIMESTAMP",
  1186: "INTERVAL",
  1266: "TIME",
  1700: "NUMERIC",
  3802: "JSON",
};

/** Element types of array types, by OID. */
const ELEMENTS: Readonly<Record<number, number>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1187: 1186,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

/** The element type of an array type; undefined for other types. */
export function elementOf(type: number): number | undefined {
  return ELEMENTS[type];
}

/** A PostgreSQL column with its GoogleSQL type; STRING where GoogleSQL has none. */
export function toColumn(name: string, type: number, required = false): Column {
  const element = elementOf(type);
  if (element !== undefined) return { name, type: NAMES[element] ?? "STRING", mode: "REPEATED" };
  return { name, type: NAMES[type] ?? "STRING", mode: required ? "REQUIRED" : "NULLABLE" };
}
