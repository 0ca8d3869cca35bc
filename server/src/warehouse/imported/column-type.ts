import type { Cell } from "./table-file.ts";

/** DuckDB type of a column of an imported table. */
export type ColumnType = "BIGINT" | "DOUBLE" | "BOOLEAN" | "DATE" | "TIMESTAMP" | "BLOB" | "VARCHAR";

/** Observes the values of one column, then returns the type that holds all of them without loss. */
interface TypeInference {
  observe(cell: Cell): void;
  type(declared?: string): ColumnType;
}

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP_TEXT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/;

type ValueClass = "whole" | "large" | "real" | "bool" | "date" | "timestamp" | "text" | "bytes";

/** Begins with a column of which nothing was seen: without a value it gets its declared type. */
export function inferColumnType(): TypeInference {
  const seen = new Set<ValueClass>();
  let onlyBits = true;
  return {
    observe(cell) {
      if (cell === null) return;
      if (cell !== 0n && cell !== 1n) onlyBits = false;
      // A column with one text stays text.
      if (!seen.has("text")) seen.add(valueClass(cell));
    },
    type(declared = "") {
      const only = (...classes: readonly ValueClass[]) => [...seen].every((one) => classes.includes(one));
      if (seen.size === 0) return declaredType(declared);
      if (only("bool")) return "BOOLEAN";
      if (only("whole") && onlyBits && /bool/i.test(declared)) return "BOOLEAN";
      if (only("whole", "large")) return "BIGINT";
      if (only("whole", "real")) return "DOUBLE";
      if (only("date")) return "DATE";
      if (only("date", "timestamp")) return "TIMESTAMP";
      return only("bytes") ? "BLOB" : "VARCHAR";
    },
  };
}

function valueClass(cell: Exclude<Cell, null>): ValueClass {
  switch (typeof cell) {
    case "boolean":
      return "bool";
    case "bigint":
      // As DOUBLE, beside fractions, these would lose digits.
      return cell > BigInt(Number.MAX_SAFE_INTEGER) || cell < BigInt(Number.MIN_SAFE_INTEGER) ? "large" : "whole";
    case "number":
      return "real";
    case "string":
      if (DATE_TEXT.test(cell)) return isDate(cell) ? "date" : "text";
      return TIMESTAMP_TEXT.test(cell) && isTimestamp(cell) ? "timestamp" : "text";
    default:
      return "bytes";
  }
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isTimestamp(text: string): boolean {
  return (
    isDate(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(`${text.replace(" ", "T")}Z`)) &&
    !text.includes(" 24:") &&
    !text.includes("T24:")
  );
}

/** Type of a column without values, by SQLite's type affinity. */
function declaredType(declared: string): ColumnType {
  if (/int/i.test(declared)) return "BIGINT";
  if (/char|clob|text/i.test(declared)) return "VARCHAR";
  if (/blob/i.test(declared)) return "BLOB";
  if (/real|floa|doub|num|dec/i.test(declared)) return "DOUBLE";
  return /bool/i.test(declared) ? "BOOLEAN" : "VARCHAR";
}
