import type { JsonObject } from "#base";

/** Like `isJsonObject` of `#base`, which is not imported here: it would add 200 ms to the start of the worker thread. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
