import { isUtf8 } from "node:buffer";
import { type ParseError, parse } from "jsonc-parser";
import type { JsonValue } from "#base";
import { hasTooManyValues, MAX_JSON_VALUES } from "./count-values.ts";

/** Parsed JSON, or why and where parsing failed. */
type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

/** Parses a JSON body. The reason of a failure has line and column, and names comments, which samples in documentation contain. */
export function parseJson(body: Buffer): ParsedJson {
  if (hasTooManyValues(body)) return { ok: false, reason: `It has more than ${MAX_JSON_VALUES} values.` };
  if (!isUtf8(body)) return { ok: false, reason: "The text is not valid UTF-8." };
  const hasByteOrderMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = body.toString("utf8", hasByteOrderMark ? 3 : 0);
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { ok: false, reason: explain(text) ?? (error as Error).message };
  }
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
  const before = text.slice(0, offset);
  const position = `line ${before.split("\n").length}, column ${offset - before.lastIndexOf("\n")}`;
  if (offset >= text.length) return `Unexpected end of the text at ${position}.`;
  if (text.startsWith("//", offset) || text.startsWith("/*", offset))
    return `JSON has no comments, and there is one at ${position}. Remove it.`;
  return `Unexpected token ${JSON.stringify(text.slice(offset, offset + 12))} at ${position}.`;
}
