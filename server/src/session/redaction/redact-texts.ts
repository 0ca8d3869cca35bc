import type { Redactor } from "./contract.ts";

/** What becomes of each text of a value. */
export type TextChange = (text: string) => string;

/**
 * Redacts the texts that `map` finds in a value: once to collect them for one call of the redactor, once to put in what came
 * back. Equal texts are asked once.
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
