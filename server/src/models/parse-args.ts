import { isJsonObject, type JsonObject } from "#base";

/** The arguments of a function call from their JSON text; `undefined` when it is no JSON object. An empty text is no arguments. */
export function parseArgs(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(text);
    return isJsonObject(args) ? args : undefined;
  } catch {
    return undefined; // The caller ends the answer as malformed.
  }
}
