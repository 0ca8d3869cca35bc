import { isUtf8 } from "node:buffer";
import type { JsonValue } from "#base";

/** Parsed JSON, or why and where parsing failed. */
type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

/** Parses a JSON body. The reason of a failure has line and column, and names comments, which samples in documentation contain. */
export function parseJson(body: Buffer): ParsedJson {
  if (!isUtf8(body)) return { ok: false, reason: "The text is not valid UTF-8." };
  const marked = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const text = body.toString("utf8", marked ? 3 : 0);
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { ok: false, reason: text.length > EXPLAIN_UP_TO ? (error as Error).message : explain(text) };
  }
}

/** One token; control characters in strings are checked afterwards. */
const TOKEN =
  /\s+|[{}[\],:]|"[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** Longer texts get the message of `JSON.parse`: finding the position would take too long. */
const EXPLAIN_UP_TO = 256 * 1024;

/** What the grammar expects next. */
type Expected = "value" | "value or ]" | "name or }" | "name" | ":" | "separator";

/** Finds the first token that does not fit, for a text that is known to be wrong. */
function explain(text: string): string {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return unexpected(text, at);
    if (/^\s/.test(token)) continue;
    const control = controlCharacter(token);
    if (control >= 0) return unexpected(text, at + control);
    const next = step(token, expected, open);
    if (!next) return unexpected(text, at);
    expected = next;
  }
  return `Unexpected end of the text at ${position(text, text.length)}.`;
}

function step(token: string, expected: Expected, open: ("{" | "[")[]): Expected | undefined {
  const expectsValue = expected === "value" || expected === "value or ]";
  switch (token) {
    case "{":
    case "[":
      if (!expectsValue) return undefined;
      open.push(token);
      return token === "{" ? "name or }" : "value or ]";
    case "}":
    case "]": {
      const closable = expected === "separator" || expected === (token === "}" ? "name or }" : "value or ]");
      return closable && open.pop() === (token === "}" ? "{" : "[") ? "separator" : undefined;
    }
    case ",":
      if (expected !== "separator" || open.length === 0) return undefined;
      return open.at(-1) === "{" ? "name" : "value";
    case ":":
      return expected === ":" ? "value" : undefined;
    default:
      if (expected === "name" || expected === "name or }") return token.startsWith('"') ? ":" : undefined;
      return expectsValue ? "separator" : undefined;
  }
}

/** Position of a character of a string that must be escaped; -1 when there is none. */
function controlCharacter(token: string): number {
  for (let index = 0; index < token.length; index++) if (token.charCodeAt(index) < 0x20) return index;
  return -1;
}

function unexpected(text: string, at: number): string {
  const where = position(text, at);
  if (text.startsWith("//", at) || text.startsWith("/*", at))
    return `JSON has no comments, and there is one at ${where}. Remove it.`;
  return `Unexpected token ${JSON.stringify(text.slice(at, at + 12))} at ${where}.`;
}

function position(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return `line ${line}, column ${at - before.lastIndexOf("\n")}`;
}
