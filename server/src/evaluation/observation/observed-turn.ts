import type { Span } from "@frontdesk/protos/ces/common";
import type { AgentTransfer, Message, ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { RECOGNIZED_TEXT } from "../audio/spoken-turns.ts";

/** A tool call of a turn, with its response when there was one. */
export interface ObservedCall {
  readonly call: ToolCall;
  readonly response: ToolResponse | undefined;
  /** Calls of one number were made at once, by one model answer: they have no order among themselves. From 0. */
  readonly batch: number;
}

/** What one turn of an app did, read from its messages and its trace. */
export interface ObservedTurn {
  /** Resource name of the conversation. */
  readonly conversation: string;
  readonly calls: readonly ObservedCall[];
  /** The agents' messages that have text, in order, each reduced to its text chunks. */
  readonly responses: readonly Message[];
  readonly transfers: readonly AgentTransfer[];
  /** Variables that the turn changed, with their last values. */
  readonly updatedVariables: JsonObject;
  /** All messages of the turn, as a judge reads them. */
  readonly messages: readonly Message[];
  readonly rootSpan: Span;
  /** What the user understood of the agents' speech; undefined for a turn by text. */
  readonly heard: string | undefined;
}

/** Reads a turn from its messages and its trace. */
export function observeTurn(conversation: string, messages: readonly Message[], rootSpan: Span): ObservedTurn {
  const calls: { call: ToolCall; response: ToolResponse | undefined; batch: number }[] = [];
  const responses: Message[] = [];
  const transfers: AgentTransfer[] = [];
  const updatedVariables: JsonObject = {};
  let batch = 0;
  for (const message of messages) {
    for (const { data } of message.chunks) {
      if (data.case === "toolCall") calls.push({ call: data.value, response: undefined, batch });
      if (data.case === "toolResponse") {
        addResponse(calls, data.value);
        batch += 1;
      }
      if (data.case === "agentTransfer") transfers.push(data.value);
      if (data.case === "updatedVariables") Object.assign(updatedVariables, data.value);
    }
    const texts = message.role === "user" ? [] : message.chunks.filter((chunk) => textOfChunk(chunk) !== "");
    if (texts.length > 0) responses.push({ ...message, chunks: texts });
  }
  return { conversation, calls, responses, transfers, updatedVariables, messages, rootSpan, heard: heardIn(rootSpan) };
}

/** From the spans of speech to text that listened to the agents (EVAL-49). */
function heardIn({ childSpans }: Span): string | undefined {
  const heard = childSpans.flatMap(({ name, attributes }) => {
    const text = name === "SpeechToText" ? attributes?.[RECOGNIZED_TEXT] : undefined;
    return typeof text === "string" ? [text] : [];
  });
  return heard.length === 0 ? undefined : heard.join("\n");
}

/** A response belongs to the first call of its id that has none yet; without ids, of its tool. */
function addResponse(
  calls: { readonly call: ToolCall; response: ToolResponse | undefined }[],
  response: ToolResponse,
): void {
  const open = calls.filter((observed) => observed.response === undefined);
  const named = toolKey(response);
  const match =
    open.find(({ call }) => response.id !== "" && call.id === response.id) ??
    open.find(({ call }) => toolKey(call) === named);
  if (match) match.response = response;
}

/** The text of a message: its text and transcript chunks, one a line. */
export function textOf({ chunks }: Pick<Message, "chunks">): string {
  return chunks
    .map(textOfChunk)
    .filter((text) => text !== "")
    .join("\n");
}

function textOfChunk({ data }: Message["chunks"][number]): string {
  return data.case === "text" || data.case === "transcript" ? data.value : "";
}

/** What a tool call or response is compared by: the tool's resource name, or that of its toolset and its id. */
export function toolKey({ toolIdentifier }: Pick<ToolCall, "toolIdentifier">): string {
  if (toolIdentifier.case === "tool") return toolIdentifier.value;
  if (toolIdentifier.case !== "toolsetTool") return "";
  return `${toolIdentifier.value.toolset}/tools/${toolIdentifier.value.toolId}`;
}
