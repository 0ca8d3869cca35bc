// JSON that comes back as it went in: the spelling of values that JavaScript cannot hold is kept beside them (PY-42).
export {
  hasSpelling,
  keepSpelling,
  mergeJson,
  parseJson,
  pickJson,
  spelledNumber,
  writeJson,
} from "@frontdesk/sealed-python/json";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = JsonValue[];
export type JsonObject = { [key: string]: JsonValue };

/** The value with sorted keys, without those of undefined: equal values have equal texts. */
export function sortedJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortedJson(item)]));
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value where text is read: a text as it is, everything else as JSON. */
export function textOrJson(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
