import { hash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import { isJsonObject } from "#base";
import { brokenCode, nestedCalls, spansOf } from "../read-trace.ts";

/** What conversations are found by beside the words of their transcripts: fields of the filter of ListConversations (CONV-28). */
export const MARK_FIELDS = ["outcome", "agent", "tool", "failed_tool", "guardrail"] as const;
type MarkField = (typeof MARK_FIELDS)[number];

/** Values of `outcome`: something of a turn failed, a person was to take over, a guardrail stopped a turn. */
export const OUTCOMES = ["FAILED", "ESCALATED", "GUARDRAIL"] as const;

/** Marks are words of the index of transcripts. They begin with this letter (of Linear B), so that no search for what was said finds them. */
const FIRST_LETTER = "\u{10000}";

/** The word of a mark. Names have characters that words cannot have. */
export function markWord(field: MarkField, value: string): string {
  return `${FIRST_LETTER}${field.replace("_", "")}${hash("sha256", value).slice(0, 16)}`;
}

/** What was said, unable to pass for a mark. */
export function withoutMarks(text: string): string {
  return text.replaceAll(FIRST_LETTER, "");
}

/** The marks of a turn by its record, as words. */
export function marksOf(messages: readonly Message[], rootSpan: Span): readonly string[] {
  const marks = new Set<string>();
  const mark = (field: MarkField, value: unknown) => {
    if (typeof value === "string" && value !== "") marks.add(markWord(field, value));
  };
  if (messages.some(isEscalation)) mark("outcome", "ESCALATED");
  if (brokenCode(rootSpan.attributes).length > 0) mark("outcome", "FAILED");
  for (const { name, attributes = {} } of spansOf(rootSpan)) {
    mark("agent", attributes.agent);
    if (TRACED_WORK.has(name) && hasFailed(attributes)) mark("outcome", "FAILED");
    if (name === "Tool") markCall(attributes, mark);
    for (const call of nestedCalls(attributes)) markCall(call, mark);
    if (name === "Guardrail" && attributes.triggered === true) {
      mark("outcome", "GUARDRAIL");
      mark("guardrail", attributes.name);
    }
  }
  return [...marks];
}

/** Spans whose error is a failure of the turn's own work. */
const TRACED_WORK: ReadonlySet<string> = new Set(["LLM", "Tool", "Callback", "Guardrail"]);

function markCall(call: JsonObject, mark: (field: MarkField, value: unknown) => void): void {
  mark("tool", call.name);
  if (hasFailed(call)) mark("failed_tool", call.name);
}

/** An error of the work itself, or one that a tool answered. */
function hasFailed({ error, response }: JsonObject): boolean {
  return error !== undefined || (isJsonObject(response) && response.status === "error");
}

/** A session is escalated to a person by its `end_session` call. */
function isEscalation({ chunks }: Message): boolean {
  return chunks.some(
    ({ data }) =>
      data.case === "toolCall" &&
      data.value.displayName.endsWith("end_session") &&
      String(data.value.args?.session_escalated) === "true",
  );
}
