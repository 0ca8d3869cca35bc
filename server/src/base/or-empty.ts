import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

// JSON that others write is read leniently: a value of another kind than the wanted one counts as none.

/** A text, or "" where the value is none. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** An object, or {} where the value is none. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A list, or [] where the value is none. */
export function listOrEmpty(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; what else is in it is left out. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a list; what else is in it is left out. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
