import { create, toJson } from "@bufbuild/protobuf";
import { SpanSchema } from "@frontdesk/protos/ces/common";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionOutput_DiagnosticInfoSchema, SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import type { ExportedTurn, TurnContent } from "#session";

/** The last output of a turn with all of its texts and its diagnostic info, as JSON: the payload of a log entry (CONV-18). */
export function outputJson({ turnIndex }: ExportedTurn, { messages, rootSpan }: TurnContent): JsonObject {
  const diagnosticInfo = create(SessionOutput_DiagnosticInfoSchema, { messages: [...messages], rootSpan });
  const output = create(SessionOutputSchema, {
    outputType: { case: "text", value: agentText(messages) },
    turnIndex,
    turnCompleted: true,
    diagnosticInfo,
  });
  return toJson(SessionOutputSchema, output) as JsonObject;
}

function agentText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role !== "user")
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n");
}

/** The words of a message. */
export function textOf({ chunks }: Message): string {
  return chunks
    .flatMap(({ data }) => (data.case === "text" || data.case === "transcript" ? [data.value] : []))
    .join("");
}

/** Messages and trace as JSON text: columns of the type JSON are written as text. */
export function contentJson({ messages, rootSpan }: TurnContent): {
  readonly messages: string;
  readonly trace: string;
} {
  return {
    messages: JSON.stringify(messages.map((message) => toJson(MessageSchema, message))),
    trace: JSON.stringify(toJson(SpanSchema, rootSpan)),
  };
}
