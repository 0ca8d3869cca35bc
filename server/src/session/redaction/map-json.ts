import type { JsonObject, JsonValue } from "#base";
import type { TextChange } from "./redact-texts.ts";

/** Smaller numbers identify nobody. */
const SMALLEST_ID = 10_000_000;

/** Names of configuration hold ids, which may look like telephone numbers and must stay. */
const RESOURCE_NAME = /^projects\/[^/\s]+\/locations\/[^/\s]+(?:\/[^/\s]+)*$/;

/** A JSON object with its texts changed, and its long whole numbers, which become text when they change. Keys stay. */
export function mapObject(value: JsonObject, change: TextChange): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]));
}

function mapJson(value: JsonValue, change: TextChange): JsonValue {
  if (typeof value === "string") return RESOURCE_NAME.test(value) ? value : change(value);
  if (typeof value === "number") return mapNumber(value, change);
  if (value === null || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map((item) => mapJson(item, change)) : mapObject(value, change);
}

function mapNumber(value: number, change: TextChange): JsonValue {
  if (!Number.isSafeInteger(value) || value < SMALLEST_ID) return value;
  const changed = change(String(value));
  return changed === String(value) ? value : changed;
}
