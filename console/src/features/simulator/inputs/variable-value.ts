import type { JsonValue } from "@bufbuild/protobuf";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";

/** A variable as text of its field: strings unchanged, everything else as JSON. */
export function formatVariable(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Parses the text of a variable of this type, or returns the error. */
export function parseVariable(text: string, type: Type): { readonly value?: JsonValue; readonly error?: string } {
  if (type === Type.STRING || type === Type.TYPE_UNSPECIFIED) return { value: text };
  const expected = EXPECTED[type] ?? "JSON";
  try {
    const value: JsonValue = JSON.parse(text);
    return fits(value, type) ? { value } : { error: `Enter ${expected}.` };
  } catch {
    return { error: `Enter ${expected}.` };
  }
}

const EXPECTED: Readonly<Partial<Record<Type, string>>> = {
  [Type.NUMBER]: "a number",
  [Type.INTEGER]: "a whole number",
  [Type.BOOLEAN]: "true or false",
  [Type.OBJECT]: "a JSON object",
  [Type.ARRAY]: "a JSON array",
};

function fits(value: JsonValue, type: Type): boolean {
  switch (type) {
    case Type.NUMBER:
      return typeof value === "number";
    case Type.INTEGER:
      return Number.isInteger(value);
    case Type.BOOLEAN:
      return typeof value === "boolean";
    case Type.OBJECT:
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case Type.ARRAY:
      return Array.isArray(value);
    default:
      return true;
  }
}
