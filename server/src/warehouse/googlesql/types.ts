import { isMark, type Node } from "./syntax.ts";
import { UntranslatableError } from "./tokens.ts";

const NAMES: Readonly<Record<string, string>> = {
  ...{ INT64: "BIGINT", INT: "BIGINT", INTEGER: "BIGINT", BIGINT: "BIGINT", SMALLINT: "BIGINT", FLOAT64: "DOUBLE" },
  ...{
    STRING: "VARCHAR",
    BYTES: "BLOB",
    BOOL: "BOOLEAN",
    BOOLEAN: "BOOLEAN",
    NUMERIC: "DECIMAL(38, 9)",
    DECIMAL: "DECIMAL(38, 9)",
  },
  ...{
    BIGNUMERIC: "DECIMAL(38, 9)",
    DATE: "DATE",
    TIME: "TIME",
    DATETIME: "TIMESTAMP",
    TIMESTAMP: "TIMESTAMPTZ",
    JSON: "JSON",
  },
};

/** A GoogleSQL type in DuckDB's dialect: `ARRAY<INT64>` is `BIGINT[]`. Lengths of texts and precisions are left out. */
export function translateType(nodes: readonly Node[]): string {
  const { type, rest } = readType(nodes);
  if (rest.some(({ kind }) => kind !== "group")) throw new UntranslatableError("CAST", "the type is not known");
  return type;
}

interface ReadType {
  readonly type: string;
  readonly rest: readonly Node[];
}

function readType([first, ...rest]: readonly Node[]): ReadType {
  const name = first?.kind === "word" ? first.text.toUpperCase() : "";
  if (name === "ARRAY" && isMark(rest[0], "<")) {
    const element = readType(rest.slice(1));
    return { type: `${element.type}[]`, rest: closed(element.rest) };
  }
  const type = NAMES[name];
  if (!type) throw new UntranslatableError(name || "CAST", "this type is not available");
  return { type, rest };
}

/** Takes the `>` off; two closing ones may be written as `>>`. */
function closed([first, ...rest]: readonly Node[]): readonly Node[] {
  if (isMark(first, ">")) return rest;
  if (isMark(first, ">>")) return [{ kind: "mark", text: ">", space: false }, ...rest];
  throw new UntranslatableError("ARRAY<…>", "its bracket is not closed");
}
