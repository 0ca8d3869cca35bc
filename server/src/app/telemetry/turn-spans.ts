import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import type { StoredTurn } from "#session";
import { genAiSpan } from "./gen-ai-span.ts";
import { type OtlpSpan, toAttributes } from "./otlp.ts";
import { readTraceparent } from "./trace-context.ts";

interface TurnSpanOptions {
  /** Whether texts, arguments and results are exported. */
  readonly content: boolean;
  /** A new id with this number of bytes, as hexadecimal digits. */
  readonly newId: (bytes: number) => string;
}

/**
 * The spans of a stored turn: `invoke_agent` with a child for each step, below the caller's span if there is one, else in a new trace.
 * None when the caller does not record its trace. Content of conversations that are not logged is never exported.
 */
export function turnSpans(turn: StoredTurn, options: TurnSpanOptions): readonly OtlpSpan[] {
  const caller = readTraceparent(turn.traceparent);
  if (caller && !caller.sampled) return [];
  const traceId = caller?.traceId ?? options.newId(16);
  const content = options.content && turn.logged;
  const root = rootSpan(
    turn,
    { traceId, spanId: options.newId(8), ...(caller && { parentSpanId: caller.spanId }) },
    content,
  );
  const children = turn.rootSpan.childSpans.map((child) =>
    childSpan(child, { traceId, spanId: options.newId(8), parentSpanId: root.spanId }, content),
  );
  return [root, ...children];
}

type SpanIds = Pick<OtlpSpan, "traceId" | "spanId" | "parentSpanId">;

function rootSpan(
  { session, app, turnIndex, rootSpan: span, messages }: StoredTurn,
  ids: SpanIds,
  content: boolean,
): OtlpSpan {
  const { agent } = span.attributes ?? {};
  const isUser = ({ role }: Message) => role === "user";
  return {
    ...ids,
    name: `invoke_agent ${String(agent ?? "")}`,
    kind: 2,
    ...timesOf(span),
    attributes: toAttributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "frontdesk",
      "gen_ai.agent.name": agent,
      "gen_ai.conversation.id": session.slice(session.lastIndexOf("/") + 1),
      "frontdesk.app": app,
      "frontdesk.turn": turnIndex,
      ...(content && {
        "gen_ai.input.messages": messages.filter(isUser).map(toGenAiMessage),
        "gen_ai.output.messages": messages.filter((message) => !isUser(message)).map(toGenAiMessage),
      }),
    }),
  };
}

function childSpan(span: Span, ids: SpanIds, withContent: boolean): OtlpSpan {
  const { name, kind, attributes, content, error } = genAiSpan(span.name, span.attributes ?? {});
  return {
    ...ids,
    name,
    kind,
    ...timesOf(span),
    attributes: toAttributes({
      ...attributes,
      ...(error !== undefined && { "error.type": "_OTHER" }),
      ...(withContent && content),
    }),
    ...(error !== undefined && { status: { code: 2, ...(withContent && { message: error }) } }),
  };
}

function timesOf({ startTime, endTime }: Span): Pick<OtlpSpan, "startTimeUnixNano" | "endTimeUnixNano"> {
  return { startTimeUnixNano: nanosOf(startTime), endTimeUnixNano: nanosOf(endTime) };
}

function nanosOf(time: Timestamp | undefined): string {
  return time ? String(time.seconds * 1_000_000_000n + BigInt(time.nanos)) : "0";
}

/** A message in the form of the conventions. */
function toGenAiMessage({ role, chunks }: Message): JsonObject {
  return role === "user"
    ? { role: "user", parts: chunks.flatMap(toParts) }
    : { role: "assistant", name: role, parts: chunks.flatMap(toParts) };
}

function toParts({ data }: Chunk): JsonObject[] {
  switch (data.case) {
    case "text":
    case "transcript":
      return [{ type: "text", content: data.value }];
    case "toolCall": {
      const { id, displayName, args = {} } = data.value;
      return [{ type: "tool_call", id, name: displayName, arguments: args }];
    }
    case "toolResponse":
      return [{ type: "tool_call_response", id: data.value.id, response: data.value.response ?? {} }];
    default:
      return [];
  }
}
