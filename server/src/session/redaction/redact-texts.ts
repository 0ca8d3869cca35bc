import { type JsonObject, parseJson, writeJson } from "#base";
import type { Redactor } from "./contract.ts";
import { mapObject, type TextChange } from "./map-texts.ts";

/**
 * Redacts the texts that `map` finds in a value, with one call of the redactor: the first pass collects the distinct texts, the second
 * replaces them.
 */
export async function redactTexts<T>(
  redactor: Redactor,
  value: T,
  map: (value: T, change: TextChange) => T,
): Promise<T> {
  const found = new Set<string>();
  map(value, (text) => {
    if (text !== "") found.add(text);
    return text;
  });
  const texts = [...found];
  const redacted = await redactor.redact(texts);
  const changes = new Map(texts.map((text, at) => [text, redacted[at] ?? ""]));
  return map(value, (text) => changes.get(text) ?? text);
}

/** Redacts all texts of a session's stored state. */
export async function redactState(redactor: Redactor, state: string): Promise<string> {
  // Only the engine writes this column, always as an object.
  return writeJson(await redactTexts(redactor, parseJson(state) as JsonObject, mapObject));
}
