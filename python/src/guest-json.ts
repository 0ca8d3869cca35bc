import { isJsonObject, type JsonValue } from "./json.ts";
import { parseJson } from "./json-spelling.ts";

/**
 * Most arrays and objects inside one another, the answer's own three included. Every level is two messages of
 * `google.protobuf.Struct`, and readers of protobuf refuse more than 100 inside one another: a deeper value could be stored
 * with a conversation, and the conversation never read again.
 */
const MAX_DEPTH = 40;

const TOO_DEEP = `is nested more than ${MAX_DEPTH} deep`;

/** Characters of a text whose nesting is counted before it is parsed: half a million brackets hold a server for a second. */
const LONG_TEXT = 64 << 10;

/** JSON that came out of a guest: its value, or what is wrong with it, to be said after a noun ("… holds a number …"). */
type GuestJson = { readonly value: JsonValue } | { readonly problem: string };

/**
 * Reads JSON that a guest wrote. Beyond the syntax it refuses what JSON can spell and the server cannot carry: a number
 * that no double holds (it would become Infinity and could never be written again) and nesting that exhausts the stack of
 * whoever walks through it.
 */
export function parseGuestJson(text: string): GuestJson {
  if (text.length > LONG_TEXT && opensMore(text, MAX_DEPTH)) return { problem: TOO_DEEP };
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return { problem: "is not JSON" };
  }
  const problem = problemOf(value, MAX_DEPTH);
  return problem ? { problem } : { value };
}

/** A text, or "" for anything else. Never converts: an object's own `toString` may be data of the guest. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A position in a file, counted from 1. */
export function positionOf(value: JsonValue | undefined): number {
  return typeof value === "number" && value >= 1 ? Math.floor(value) : 1;
}

function problemOf(value: JsonValue, depth: number): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "holds a number beyond 1.8e308";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return TOO_DEEP;
  for (const inner of isJsonObject(value) ? Object.values(value) : value) {
    const problem = problemOf(inner, depth - 1);
    if (problem) return problem;
  }
  return undefined;
}

/** Codes of `"`, `\`, `[`, `{`, `]` and `}`. */
const [QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];

/** Whether more than `most` brackets of a JSON text are open at one place. */
function opensMore(text: string, most: number): boolean {
  let open = 0;
  let isInText = false;
  for (let at = 0; at < text.length && open <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) open += 1;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open -= 1;
  }
  return open > most;
}
