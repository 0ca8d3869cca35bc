import { isUtf8 } from "node:buffer";
import { type ParseError, parse } from "jsonc-parser";
import { MAX_VALUES } from "#aip";
import { type JsonValue, yieldToEventLoop } from "#base";
import { hasTooManyJsonValues } from "./max-values.ts";

/** Parsed JSON, or why and where parsing failed. */
type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

/** Parses a JSON body. The reason of a failure has line and column, and names comments, which samples in documentation contain. */
export function parseJson(body: Buffer): ParsedJson {
  const steps = parseSteps(body, MAX_VALUES);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Bytes of a body whose reading may take tens of milliseconds, so that other calls run between the steps of it: 50,000 values fit into 100 KiB. */
export const LONG_BODY = 64 * 1024;

/** The same; other calls run between the steps for a long body. `most`: values that it may have. */
export async function parseLongJson(body: Buffer, most = MAX_VALUES): Promise<ParsedJson> {
  const steps = parseSteps(body, most);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (body.length > LONG_BODY) await yieldToEventLoop();
  }
}

function* parseSteps(body: Buffer, most: number): Generator<void, ParsedJson> {
  if (hasTooManyJsonValues(body, most)) return { ok: false, reason: `It has more than ${most} values.` };
  yield;
  if (!isUtf8(body)) return { ok: false, reason: "The text is not valid UTF-8." };
  const hasByteOrderMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = body.toString("utf8", hasByteOrderMark ? 3 : 0);
  yield;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { ok: false, reason: explain(text) ?? (error as Error).message };
  }
  yield;
  const rounded = roundedNumber(text);
  return rounded ? { ok: false, reason: rounded } : { ok: true, value };
}

const NUMBER_START = /-?\d/g;
const NUMBER_END = /[^\d.eE+-]/g;
const COLON = /\s*:/y;

/**
 * Names the first whole number of a valid JSON text that would be rounded to another one: protobuf's JSON has such numbers as text (WIRE-13).
 * Texts are skipped from quote to quote, because an expression for them has no limit to its stack.
 */
function roundedNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  let key = "";
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const between = text.slice(at, quote < 0 ? undefined : quote);
    for (const { token, index } of numbersIn(between)) {
      if (token.length < 16 || /[.eE]/.test(token) || isExact(token)) continue;
      return `The number ${token.slice(0, 40)} of '${key}' at ${positionOf(text, at + index)} would be rounded: whole numbers beyond 2^53 are sent as text.`;
    }
    if (quote < 0) return undefined;
    at = endOfText(text, quote) + 1;
    COLON.lastIndex = at;
    if (COLON.test(text)) key = text.slice(quote + 1, at - 1);
  }
  return undefined;
}

/** The numbers of a part of a JSON text outside of its texts. An expression for a whole number has no limit to its stack. */
function* numbersIn(part: string): Generator<{ readonly token: string; readonly index: number }> {
  NUMBER_START.lastIndex = 0;
  for (let start = NUMBER_START.exec(part); start; start = NUMBER_START.exec(part)) {
    const { index } = start;
    NUMBER_END.lastIndex = index;
    const end = NUMBER_END.exec(part)?.index ?? part.length;
    yield { token: part.slice(index, end), index };
    NUMBER_START.lastIndex = end;
  }
}

/** Place of the quote that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
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
