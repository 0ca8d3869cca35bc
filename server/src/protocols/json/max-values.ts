import { hasMoreJsonValues } from "#base";

/**
 * Most values of one message: fields, members of objects, items of lists and paths of masks, at all levels (WIRE-23). Decoding takes the event
 * loop about a millisecond per thousand of them; the length of texts hardly counts.
 */
export const MAX_VALUES = 100_000;

/** The fields of both APIs that are masks: one text in JSON, with a path after each comma. */
const MASKS: ReadonlySet<string> = new Set(["update_mask", "updateMask", "field_mask", "fieldMask"]);

/** Whether a message in JSON has more values than can be decoded at once. */
export function hasTooManyJsonValues(body: Uint8Array): boolean {
  return hasMoreJsonValues(body, MAX_VALUES, MASKS);
}
