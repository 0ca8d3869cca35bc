import pg from "pg";
import type { JsonValue } from "#base";
import { elementOf } from "./wire-types.ts";

/** A cell in the form of the API (CA-18), from the text that PostgreSQL sends. */
export function toCell(text: string | null, type: number): JsonValue {
  if (text === null) return null;
  const element = elementOf(type);
  if (element === undefined) return scalar(text, type);
  return arrays.create(text, (item) => (item === null ? null : scalar(item, element))).parse();
}

/** Parses nested arrays. The published types describe an older form of this parser. */
const arrays = pg.types.arrayParser as unknown as {
  create(text: string, entry: (item: string | null) => JsonValue): { parse(): JsonValue[] };
};

function scalar(text: string, type: number): JsonValue {
  switch (type) {
    case 16:
      return text === "t" ? "true" : "false";
    case 17:
      return Buffer.from(text.slice(2), "hex").toString("base64");
    case 1114:
      return text.replace(" ", "T");
    case 1184:
      return text.replace(" ", "T").replace(/\+00$/, "Z");
    default:
      return text;
  }
}
