import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import type { Message, ToolCall } from "@frontdesk/protos/ces/example";
import {
  type GoogleSearchSuggestions,
  GoogleSearchSuggestionsSchema,
  WebSearchQuerySchema,
} from "@frontdesk/protos/ces/search_suggestions";
import {
  type Citations_CitedChunk as CitedChunk,
  Citations_CitedChunkSchema as CitedChunkSchema,
  type SessionOutput,
} from "@frontdesk/protos/ces/session_service";
import type { StatusError } from "../../api/status-error.ts";
import { recordedInput, type TurnFile, type TurnInput } from "./turn-input.ts";

/** Something that came while the turn ran; afterwards the recorded messages replace it. */
export type StreamedOutput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "payload"; readonly payload: JsonObject }
  | { readonly kind: "file"; readonly file: TurnFile };

/** One turn as the page knows it: while it runs, what came so far; afterwards, the recorded messages and the trace. */
export interface Turn {
  readonly index: number;
  readonly input: TurnInput;
  readonly status: "running" | "done" | "failed";
  readonly streamed: readonly StreamedOutput[];
  readonly messages: readonly Message[];
  readonly rootSpan?: Span;
  /** Client functions that the agent wants the client to run. */
  readonly calls: readonly ToolCall[];
  readonly citations: readonly CitedChunk[];
  readonly suggestions?: GoogleSearchSuggestions;
  /** Set when the session ended in this turn: why. */
  readonly ended?: JsonObject;
  readonly error?: StatusError;
}

/** A turn that was just sent. */
export function beginTurn(index: number, input: TurnInput): Turn {
  return { index, input, status: "running", streamed: [], messages: [], calls: [], citations: [] };
}

/** The turn after one more output of its stream. */
export function withOutput(turn: Turn, output: SessionOutput): Turn {
  const { turnCompleted, diagnosticInfo } = output;
  const record = diagnosticInfo && {
    messages: diagnosticInfo.messages,
    rootSpan: diagnosticInfo.rootSpan ?? turn.rootSpan,
  };
  const status = turnCompleted ? "done" : turn.status;
  return { ...withStreamed(turn, output.outputType), ...record, status };
}

function withStreamed(turn: Turn, output: SessionOutput["outputType"]): Turn {
  switch (output.case) {
    case "text":
      return { ...turn, streamed: withText(turn.streamed, output.value) };
    case "payload":
      return { ...turn, streamed: [...turn.streamed, { kind: "payload", payload: output.value }] };
    case "image": {
      const { mimeType, data } = output.value;
      return { ...turn, streamed: [...turn.streamed, { kind: "file", file: { name: "", mimeType, data } }] };
    }
    case "toolCalls":
      return { ...turn, calls: [...turn.calls, ...output.value.toolCalls] };
    case "citations":
      return { ...turn, citations: [...turn.citations, ...output.value.citedChunks] };
    case "googleSearchSuggestions":
      return { ...turn, suggestions: output.value };
    case "endSession":
      return { ...turn, ended: output.value.metadata ?? {} };
    default:
      return turn;
  }
}

function withText(streamed: readonly StreamedOutput[], text: string): readonly StreamedOutput[] {
  const last = streamed.at(-1);
  return last?.kind === "text"
    ? [...streamed.slice(0, -1), { kind: "text", text: last.text + text }]
    : [...streamed, { kind: "text", text }];
}

/** The turns of a stored conversation. Calls without a response are pending in the last one. */
export function turnsOf({ turns }: Pick<Conversation, "turns">): readonly Turn[] {
  return turns.map(({ messages, rootSpan }, index) => ({
    ...beginTurn(index, recordedInput(messages)),
    status: "done",
    messages,
    rootSpan,
    ...(rootSpan ? recordedSources(rootSpan) : {}),
    calls: index === turns.length - 1 ? unansweredCalls(messages) : [],
    ended: endOf(messages),
  }));
}

function unansweredCalls(messages: readonly Message[]): readonly ToolCall[] {
  const chunks = messages.flatMap(({ chunks }) => chunks.map(({ data }) => data));
  const answered = new Set(chunks.flatMap((data) => (data.case === "toolResponse" ? [data.value.id] : [])));
  return chunks.flatMap((data) => (data.case === "toolCall" && !answered.has(data.value.id) ? [data.value] : []));
}

/** A session ends by the system tool of that name. */
function endOf(messages: readonly Message[]): JsonObject | undefined {
  for (const { chunks } of messages)
    for (const { data } of chunks)
      if (data.case === "toolCall" && data.value.displayName === "end_session") return data.value.args ?? {};
  return undefined;
}

/** The sources of a recorded turn, from its trace: recorded messages do not contain them. */
function recordedSources({ childSpans }: Span): Partial<Pick<Turn, "citations" | "suggestions">> {
  const spans = childSpans.filter(({ name }) => name === "Citations").map(({ attributes = {} }) => attributes);
  if (spans.length === 0) return {};
  const citations = spans.flatMap(({ cited }) => objects(cited).map((chunk) => fromJson(CitedChunkSchema, chunk)));
  const queries = spans.flatMap(({ queries }) => (Array.isArray(queries) ? queries : []));
  const webSearchQueries = queries.map((query) => create(WebSearchQuerySchema, { query: String(query) }));
  return { citations, suggestions: create(GoogleSearchSuggestionsSchema, { webSearchQueries }) };
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}
