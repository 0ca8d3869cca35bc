import type { JsonObject } from "@bufbuild/protobuf";

/** Parses a JSON object that the user typed, or returns the error. An empty text is an empty object. */
export function parseJsonObject(text: string): { readonly value?: JsonObject; readonly error?: string } {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { error: 'Enter a JSON object, for example {"status": "done"}.' };
    return { value: value as JsonObject };
  } catch (error) {
    return { error: `Invalid JSON: ${error instanceof Error ? error.message : "it can't be parsed"}.` };
  }
}
