import type { DescField, DescMessage } from "@bufbuild/protobuf";

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
 * The path with the names of fields as the definitions have them, `display_name` for `displayName`. Keys of maps and of JSON objects are data and
 * stay as they are, and so does what names no field (WIRE-44).
 */
export function definedPath(root: DescMessage, path: string): string {
  const segments = [...segmentsOf(path)];
  let desc: DescMessage | undefined = root;
  for (const [index, segment] of segments.entries()) {
    const name = unquoted(segment);
    const field: DescField | undefined = desc?.fields.find((each) => each.name === name || each.jsonName === name);
    if (!field) break;
    segments[index] = field.name;
    desc = field.fieldKind === "message" ? field.message : undefined;
  }
  return segments.join(".");
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
