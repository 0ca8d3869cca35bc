import { isJsonObject, type JsonObject } from "#base";
import type { PythonContext } from "#sandbox";

/** Messages that a rewriter sees. */
const LAST = 10;
const LONGEST = 1_000;

/** The last things that were said, one line each, for a model that has to know what a question refers to. */
export function conversationText({ events }: Pick<PythonContext, "events">): string {
  return events
    .flatMap((event) => (isJsonObject(event) ? lineOf(event) : []))
    .slice(-LAST)
    .join("\n");
}

function lineOf({ author, content }: JsonObject): readonly string[] {
  const parts = isJsonObject(content) && Array.isArray(content.parts) ? content.parts : [];
  const text = parts
    .flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join(" ");
  return text.trim() === "" ? [] : [`${author === "user" ? "User" : "Agent"}: ${text.slice(0, LONGEST)}`];
}
