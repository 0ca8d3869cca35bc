import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { fieldValue } from "./field-value.ts";
import { snakeCase } from "./snake-case.ts";

/** Most characters of a mask that can be valid: a thousand paths of a thousand characters, and their commas (WIRE-24). */
const MAX_LENGTH = 1_001_000;

/** The paths of a mask in one text. A comma in backticks belongs to a key (AIP-161). */
export function pathsOfMask(mask: string): readonly string[] {
  if (mask === "") return [];
  return mask.length > MAX_LENGTH ? mask.split(",") : splitOutsideBackticks(mask, ",");
}

/** The segments of a path, empty ones included. A dot in backticks belongs to a key. */
export function segmentsOf(path: string): readonly string[] {
  return splitOutsideBackticks(path, ".");
}

/** A segment without its backticks; two in it mean one. */
export function unquoted(segment: string): string {
  return /^`.*`$/s.test(segment) && segment.length > 1 ? segment.slice(1, -1).replaceAll("``", "`") : segment;
}

/**
 * The path with the names of fields as the definitions have them, `display_name` for `displayName`. Keys of maps are data: they stay as they are, unless
 * only the other spelling is in `incoming`, the message that the mask belongs to, because clients that follow proto3 JSON write the whole path in camelCase.
 * What names no field stays as it is, too. Undefined when a key could be meant in either spelling, and the message has neither.
 */
export function definedPath(root: DescMessage, path: string, incoming: Message | undefined): string | undefined {
  const segments = [...segmentsOf(path)];
  let desc: DescMessage | undefined = root;
  let message = incoming;
  for (const [index, segment] of segments.entries()) {
    const name = unquoted(segment);
    const field: DescField | undefined = desc?.fields.find((each) => each.name === name || each.jsonName === name);
    if (!field) break;
    segments[index] = field.name;
    const value = message && fieldValue(message, field);
    if (field.fieldKind === "map" && segments[index + 1] !== undefined) {
      const key = keyMeant(segments[index + 1] as string, (value ?? {}) as object);
      if (key === undefined) return undefined;
      segments[index + 1] = key;
    }
    desc = field.fieldKind === "message" ? field.message : undefined;
    message = desc && (value as Message | undefined);
  }
  return segments.join(".");
}

/** The spelling of a key that a client wrote in camelCase, or that follows proto3 JSON: the one that the map has. */
function keyMeant(segment: string, map: object): string | undefined {
  const other = snakeCase(segment);
  if (other === segment || segment.startsWith("`") || Object.hasOwn(map, segment)) return segment;
  return Object.hasOwn(map, other) ? other : undefined;
}

function splitOutsideBackticks(text: string, separator: string): readonly string[] {
  if (!text.includes("`")) return text.split(separator);
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "`") isQuoted = !isQuoted;
    if (isQuoted || text[at] !== separator) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}
