import type { FieldPacket } from "mysql2";
import type { JsonValue } from "#base";
import type { Column } from "../contract.ts";

/** GoogleSQL types by the column types of the protocol (MySQL, "Column Definition"); others are STRING. */
const NAMES: Readonly<Record<number, string>> = {
  0: "NUMERIC",
  1: "INT64",
  2: "INT64",
  3: "INT64",
  4: "FLOAT64",
  5: "FLOAT64",
  7: "TIMESTAMP",
  8: "INT64",
  9: "INT64",
  10: "DATE",
  11: "TIME",
  12: "DATETIME",
  13: "INT64",
  16: "BYTES",
  245: "JSON",
  246: "NUMERIC",
  255: "GEOGRAPHY",
};

/** GoogleSQL types by the names of the catalog. */
const CATALOG_NAMES: Readonly<Record<string, string>> = {
  ...{ tinyint: "INT64", smallint: "INT64", mediumint: "INT64", int: "INT64", bigint: "INT64", year: "INT64" },
  ...{
    decimal: "NUMERIC",
    float: "FLOAT64",
    double: "FLOAT64",
    bit: "BYTES",
    json: "JSON",
    date: "DATE",
    time: "TIME",
  },
  ...{
    datetime: "DATETIME",
    timestamp: "TIMESTAMP",
    binary: "BYTES",
    varbinary: "BYTES",
    tinyblob: "BYTES",
    blob: "BYTES",
  },
  ...{ mediumblob: "BYTES", longblob: "BYTES", geometry: "GEOGRAPHY", point: "GEOGRAPHY", polygon: "GEOGRAPHY" },
};

/** The character set of bytes. */
const BINARY = 63;
const TEXTS_AND_BLOBS = new Set([249, 250, 251, 252, 253, 254]);

/** A BOOLEAN is a `tinyint(1)`. */
export function typeOfColumn(dataType: string, columnType: string): string {
  return columnType.toLowerCase() === "tinyint(1)" ? "BOOL" : (CATALOG_NAMES[dataType.toLowerCase()] ?? "STRING");
}

/** What a result says of its columns. */
export type WireColumn = Pick<FieldPacket, "name" | "columnType" | "characterSet" | "columnLength">;

/** Columns of a result. A repeated name gets a number. */
export function toColumns(fields: readonly WireColumn[]): readonly Column[] {
  const seen = new Map<string, number>();
  return fields.map((field) => {
    const count = seen.get(field.name) ?? 0;
    seen.set(field.name, count + 1);
    return {
      name: count === 0 ? field.name : `${field.name}_${count}`,
      type: wireType(field),
      mode: "NULLABLE" as const,
    };
  });
}

function wireType({ columnType = 253, characterSet, columnLength }: WireColumn): string {
  if (columnType === 1 && columnLength === 1) return "BOOL";
  if (TEXTS_AND_BLOBS.has(columnType)) return characterSet === BINARY ? "BYTES" : "STRING";
  return NAMES[columnType] ?? "STRING";
}

/** A cell as the API writes it (CA-18). */
export function toCell(bytes: Buffer | null, type: string): JsonValue {
  if (bytes === null) return null;
  if (type === "BYTES" || type === "GEOGRAPHY") return bytes.toString("base64");
  const text = bytes.toString("utf8");
  switch (type) {
    case "BOOL":
      return { "0": "false", "1": "true" }[text] ?? text;
    case "DATETIME":
      return text.replace(" ", "T");
    case "TIMESTAMP":
      return `${text.replace(" ", "T")}Z`;
    default:
      return text;
  }
}
