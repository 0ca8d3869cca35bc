import { isUtf8 } from "node:buffer";
import { type ParseError, parse } from "jsonc-parser";
import { hasMoreJsonValues, type JsonValue } from "#base";
import { MAX_VALUES } from "./max-values.ts";

/** Parsed JSON, or why and where parsing failed. */
type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

/** Parses a JSON body. The reason of a failure has line and column, and names comments, which samples in documentation contain. */
export function parseJson(body: Buffer): ParsedJson {
  if (hasMoreJsonValues(body, MAX_VALUES)) return { ok: false, reason: `It has more than ${MAX_VALUES} values.` };
  if (!isUtf8(body)) return { ok: false, reason: "The text is not valid UTF-8." };
  const hasByteOrderMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = body.toString("utf8", hasByteOrderMark ? 3 : 0);
  try {
    const value = JSON.parse(text) as JsonValue;
    const rounded = roundedNumber(text);
    return rounded ? { ok: false, reason: rounded } : { ok: true, value };
  } catch (error) {
    return { ok: false, reason: explain(text) ?? (error as Error).message };
  }
}

/** Keys and numbers of a JSON text. */
const KEY_OR_NUMBER = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Names the first whole number that would be rounded to another one: protobuf's JSON has such numbers as text (WIRE-13). */
function roundedNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  let key = "";
  for (const { 0: token, 1: name, 2: colon, index } of text.matchAll(KEY_OR_NUMBER)) {
    if (colon !== undefined) key = name ?? "";
    if (name !== undefined || !/^-?\d{16,}$/.test(token) || isExact(token)) continue;
    return `The number ${token.slice(0, 40)} of '${key}' at ${positionOf(text, index)} would be rounded: whole numbers beyond 2^53 are sent as text.`;
  }
  return undefined;
}

function isExact(whole: string): boolean {
  const value = Number(whole);
  return Number.isFinite(value) && BigInt(value) === BigInt(whole);
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split("\n").length}, column ${offset - before.lastIndexOf("\n")}`;
}

/** Longer texts get the message of `JSON.parse`: finding the position would take too long. */
const MAX_EXPLAINED_LENGTH = 256 * 1024;

/** The first syntax error of a text that `JSON.parse` rejects; undefined when the text is too long or nested too deeply to parse again. */
function explain(text: string): string | undefined {
  if (text.length > MAX_EXPLAINED_LENGTH) return undefined;
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    return undefined; // The parser is recursive: the text is nested too deeply for it.
  }
  const offset = errors[0]?.offset;
  if (offset === undefined) return undefined;
  const position = positionOf(text, offset);
  if (offset >= text.length) return `Unexpected end of the text at ${position}.`;
  if (text.startsWith("//", offset) || text.startsWith("/*", offset))
    return `JSON has no comments, and there is one at ${position}. Remove it.`;
  return `Unexpected token ${JSON.stringify(text.slice(offset, offset + 12))} at ${position}.`;
}
