import type { Cell } from "./table-file.ts";

/** What a column of a copy is in DuckDB. */
export type ColumnKind = "BIGINT" | "DOUBLE" | "BOOLEAN" | "DATE" | "TIMESTAMP" | "BLOB" | "VARCHAR";

/** Watches the values of one column, then says what holds all of them without loss. */
export interface KindFinder {
  see(cell: Cell): void;
  kind(declared?: string): ColumnKind;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/;

type Seen = "whole" | "large" | "real" | "bool" | "day" | "moment" | "text" | "bytes";

export function findKind(): KindFinder {
  const seen = new Set<Seen>();
  let onlyBits = true;
  return {
    see(cell) {
      if (cell === null) return;
      if (cell !== 0n && cell !== 1n) onlyBits = false;
      // Once a text, a column stays one.
      if (!seen.has("text")) seen.add(seenIn(cell));
    },
    kind(declared = "") {
      const only = (...wanted: readonly Seen[]) => [...seen].every((one) => wanted.includes(one));
      if (seen.size === 0) return declaredKind(declared);
      if (only("bool")) return "BOOLEAN";
      if (only("whole") && onlyBits && /bool/i.test(declared)) return "BOOLEAN";
      if (only("whole", "large")) return "BIGINT";
      if (only("whole", "real")) return "DOUBLE";
      if (only("day")) return "DATE";
      if (only("day", "moment")) return "TIMESTAMP";
      return only("bytes") ? "BLOB" : "VARCHAR";
    },
  };
}

function seenIn(cell: Exclude<Cell, null>): Seen {
  switch (typeof cell) {
    case "boolean":
      return "bool";
    case "bigint":
      // Beside fractions these would lose digits.
      return cell > BigInt(Number.MAX_SAFE_INTEGER) || cell < BigInt(Number.MIN_SAFE_INTEGER) ? "large" : "whole";
    case "number":
      return "real";
    case "string":
      if (DAY.test(cell)) return isDay(cell) ? "day" : "text";
      return MOMENT.test(cell) && isMoment(cell) ? "moment" : "text";
    default:
      return "bytes";
  }
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isMoment(text: string): boolean {
  return (
    isDay(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(`${text.replace(" ", "T")}Z`)) &&
    !text.includes(" 24:") &&
    !text.includes("T24:")
  );
}

/** A column without a value, by SQLite's rules of affinity. */
function declaredKind(declared: string): ColumnKind {
  if (/int/i.test(declared)) return "BIGINT";
  if (/char|clob|text/i.test(declared)) return "VARCHAR";
  if (/blob/i.test(declared)) return "BLOB";
  if (/real|floa|doub|num|dec/i.test(declared)) return "DOUBLE";
  return /bool/i.test(declared) ? "BOOLEAN" : "VARCHAR";
}
