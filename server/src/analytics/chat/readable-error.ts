import type { QueryError } from "#warehouse";

/** Prefixes of engines before the sentence that says what is wrong. */
const PREFIX =
  /^(?:Failed to [\w ]+: )?(?:(?:Parser|Binder|Catalog|Syntax|Conversion|Invalid Input|Invalid) Error:\s*|ERROR:\s*)+/i;
/** The statement with a mark under it, as engines quote it. */
const EXCERPT = /\n+\s*LINE \d+:[\s\S]*$/;

/** An error of a statement as a person reads it: one sentence without the engine's own form. The planner gets it as it is. */
export function readableError({ kind, message }: Pick<QueryError, "kind" | "message">): string {
  if (kind !== "invalid" && kind !== "failed") return message;
  const text = message
    .replace(EXCERPT, "")
    .replace(PREFIX, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
  return text === message ? message : `The statement could not be run: ${/[.!?]$/.test(text) ? text : `${text}.`}`;
}
