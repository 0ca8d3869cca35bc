import type { JsonObject } from "#base";
import type { Redactor } from "./contract.ts";
import { mapObject } from "./map-json.ts";
import { redactTexts } from "./redact-texts.ts";

/** A session's stored state with everything in it redacted that a person may have said. */
export async function redactState(redactor: Redactor, state: string): Promise<string> {
  // The engine alone writes the column, always an object.
  return JSON.stringify(await redactTexts(redactor, JSON.parse(state) as JsonObject, mapObject));
}
