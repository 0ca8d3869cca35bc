import type { Message } from "@bufbuild/protobuf";

/**
 * Most values of one message, and of one resource: fields, members of objects, items of lists and paths of masks, at all levels (WIRE-23). Decoding
 * takes the event loop about a millisecond per thousand of them; the length of texts hardly counts.
 */
export const MAX_VALUES = 50_000;

/** Whether a message has more values than `most`: set fields, members of maps and JSON objects, and items of lists, at all levels. Looks at no more than that many. */
export function hasMoreValues(message: Message, most: number): boolean {
  return left(message, most) < 0;
}

/** How many more values there may be after those inside a value; below 0 for too many. */
function left(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return most;
  let rest = most;
  for (const [key, member] of Object.entries(value)) {
    if (rest < 0) return rest;
    // Names that begin with `$` are the library's own.
    if (key.startsWith("$") || !(isSet(member) || Array.isArray(value))) continue;
    rest = left(isOneof(member) ? member.value : member, rest - 1);
  }
  return rest;
}

/** Whether a member is a value. An empty one of a field is not: generated messages have all their fields. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isOneof(value)) return value.case !== undefined;
  return value !== undefined && value !== "" && value !== 0 && value !== 0n && value !== false;
}

/** A oneof as generated messages have it. */
function isOneof(value: unknown): value is { readonly case?: string; readonly value?: unknown } {
  return typeof value === "object" && value !== null && "case" in value && !("$typeName" in value);
}
