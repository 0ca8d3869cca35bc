import { isJsonObject, type JsonObject, type JsonValue, objectsIn, textsIn } from "#base";

/** The object under a path of keys; empty where there is none. */
export function objectAt(value: JsonValue | undefined, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, keys);
  return isJsonObject(found) ? found : {};
}

/** The objects of the list under a path of keys. */
export function objectsAt(value: JsonValue | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, keys);
  return objectsIn(found);
}

/** The text under a path of keys; "" where there is none. */
export function textAt(value: JsonValue | undefined, ...keys: readonly string[]): string {
  const found = valueAt(value, keys);
  return typeof found === "string" ? found : "";
}

/** The texts of the list under a path of keys. */
export function textsAt(value: JsonValue | undefined, ...keys: readonly string[]): readonly string[] {
  const found = valueAt(value, keys);
  return textsIn(found);
}

/** The 64-bit number under a path of keys, which JSON carries as text; undefined where there is none. */
export function countAt(value: JsonValue | undefined, ...keys: readonly string[]): number | undefined {
  const found = valueAt(value, keys);
  if (typeof found === "number") return found;
  return typeof found === "string" && /^\d+$/.test(found) ? Number(found) : undefined;
}

function valueAt(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of keys) at = isJsonObject(at) ? at[key] : undefined;
  return at;
}
