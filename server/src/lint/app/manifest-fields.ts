import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** A field of a manifest, written in camelCase or in snake_case, which import accepts too (PKG-17). */
export function field(object: JsonObject, name: string): JsonValue | undefined {
  return object[keyOf(object, name)];
}

/** The key under which an object has a field: the snake_case one only when it is there. */
export function keyOf(object: JsonObject, name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return !(name in object) && snake in object ? snake : name;
}

/** An object field; empty when it is missing or something else. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = field(object, name);
  return isJsonObject(value) ? value : {};
}

/** A text field; "" when it is missing or something else. */
export function textField(object: JsonObject, name: string): string {
  const value = field(object, name);
  return typeof value === "string" ? value : "";
}

/** A list field; empty when it is missing or something else. */
export function listField(object: JsonObject, name: string): readonly JsonValue[] {
  const value = field(object, name);
  return Array.isArray(value) ? value : [];
}

/** The texts of a list field. */
export function textsField(object: JsonObject, name: string): readonly string[] {
  return listField(object, name).filter((item) => typeof item === "string");
}
