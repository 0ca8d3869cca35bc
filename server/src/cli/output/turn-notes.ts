import type { Span } from "@frontdesk/protos/ces/common";
import { isJsonObject, type JsonObject, objectsIn, textOrEmpty, textsIn } from "#base";
import { plainLine } from "./plain-line.ts";
import { styled } from "./style.ts";

/** What a developer looks for in the trace of a turn, which was answered all the same: sentences, in the order of the spans. */
export interface TurnNotes {
  /** What failed: code that raised, a tool, a judge. */
  readonly errors: readonly string[];
  /** Which guardrails acted in place of the answer, and why. */
  readonly guarded: readonly string[];
  /** What the turn did without, such as the tools of a server that is down; each once. */
  readonly warnings: readonly string[];
  /** Lines that code printed. */
  readonly printed: readonly string[];
}

/** Reads the notes of a turn from its trace, those of the tools that code called included. */
export function turnNotes(root: Span): TurnNotes {
  const spans = withDescendants(root);
  return {
    printed: spans.flatMap(({ name, attributes = {} }) => printedIn(subjectOf(name, attributes), attributes)),
    errors: spans.flatMap(({ name, attributes = {} }) => errorsIn(subjectOf(name, attributes), attributes)),
    guarded: spans.flatMap(({ name, attributes = {} }) => guardedIn(subjectOf(name, attributes), attributes)),
    warnings: [...new Set(spans.flatMap(({ attributes = {} }) => warningsIn(attributes)))],
  };
}

function withDescendants(span: Span): readonly Span[] {
  return [span, ...span.childSpans.flatMap(withDescendants)];
}

function errorsIn(subject: string, { error, frames, file, response, calls }: JsonObject): readonly string[] {
  // A tool that did not run, such as one that does not exist, has its error in the response alone.
  const text = textOrEmpty(error) || (isJsonObject(response) ? textOrEmpty(response.error) : "");
  const inner = objectsIn(calls).flatMap((call) => errorsIn(`${subject} → ${textOrEmpty(call.name)}`, call));
  return text === ""
    ? inner
    : [`${subject}: ${withPlace(text, textOrEmpty(file), objectsIn(frames).at(-1))}`, ...inner];
}

/** With file and line where the text does not name them itself. */
function withPlace(text: string, code: string, frame: JsonObject | undefined): string {
  const file = textOrEmpty(frame?.filename) || code;
  if (file === "" || text.includes(file)) return text;
  return frame ? `${text} (${file}, line ${frame.line})` : `${text} (${file})`;
}

/** Without those that acted because they failed, which are errors. */
function guardedIn(subject: string, { triggered, reason, error }: JsonObject): readonly string[] {
  return triggered === true && textOrEmpty(error) === "" ? [`${subject}: ${textOrEmpty(reason) || "triggered"}`] : [];
}

function warningsIn({ warnings, calls }: JsonObject): readonly string[] {
  return [...textsIn(warnings), ...objectsIn(calls).flatMap(warningsIn)];
}

function printedIn(subject: string, { output, calls }: JsonObject): readonly string[] {
  const inner = objectsIn(calls).flatMap((call) => printedIn(`${subject} → ${textOrEmpty(call.name)}`, call));
  return [...textsIn(output).map((line) => `${subject}: ${line.trimEnd()}`), ...inner];
}

/** `before_model callback of Front desk`, `Tool look_up`. */
function subjectOf(name: string, attributes: JsonObject): string {
  const [own, agent, stage] = [attributes.name, attributes.agent, attributes.stage].map(textOrEmpty);
  if (name === "Callback") return `${stage} callback of ${agent}`;
  return [name, own || textOrEmpty(attributes.model) || agent].filter(Boolean).join(" ");
}

/** The notes as lines for people, two columns in. */
export function notesText({ errors, guarded, warnings, printed }: TurnNotes): string {
  return [
    ...printed.map((line) => styled("dim", `  ${plainLine(line)}`)),
    ...warnings.map((line) => styled("yellow", `  warning: ${plainLine(line)}`)),
    ...guarded.map((line) => styled("yellow", `  guarded: ${plainLine(line)}`)),
    ...errors.map((line) => styled("red", `  failed: ${plainLine(line)}`)),
  ].join("\n");
}
