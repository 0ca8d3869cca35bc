import type { QueryError } from "#warehouse";

/** Prefixes of engines before the sentence that says what is wrong. */
const PREFIX =
  /^(?:Failed to [\w ]+: )?(?:(?:Parser|Binder|Catalog|Syntax|Conversion|Invalid Input|Invalid) Error:\s*|ERROR:\s*)+/i;
/** Where the statement with a mark under it begins, as engines quote it. */
const EXCERPT = /\n[^\S\n]*LINE \d+:/;

/** An error of a statement as a person reads it: one sentence without the engine's own form. The planner gets it as it is. */
export function readableError({ kind, message }: Pick<QueryError, "kind" | "message">): string {
  if (kind !== "invalid" && kind !== "failed") return message;
  const text = onOneLine(withoutExcerpt(message).trim().replace(PREFIX, ""));
  return text === message ? message : `The statement could not be run: ${/[.!?]$/.test(text) ? text : `${text}.`}`;
}

function withoutExcerpt(message: string): string {
  const at = message.search(EXCERPT);
  return at < 0 ? message : message.slice(0, at);
}

/** In linear time: an engine quotes values of the statement, which may be a hundred thousand blanks and line breaks. */
function onOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
