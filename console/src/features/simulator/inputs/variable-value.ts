import type { JsonValue } from "@bufbuild/protobuf";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";

/** A variable as it stands in its field: texts as they are, everything else as JSON. */
export function formatVariable(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was typed for a variable of this type, or the sentence that says what is wrong with it. */
export function parseVariable(text: string, type: Type): { readonly value?: JsonValue; readonly error?: string } {
  if (type === Type.STRING || type === Type.TYPE_UNSPECIFIED) return { value: text };
  const wanted = WANTED[type] ?? "JSON";
  try {
    const value: JsonValue = JSON.parse(text);
    return fits(value, type) ? { value } : { error: `Enter ${wanted}.` };
  } catch {
    return { error: `Enter ${wanted}.` };
  }
}

const WANTED: Readonly<Partial<Record<Type, string>>> = {
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
