import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { StreamPart } from "#models";
import { changesOfCalls, type SetByCallbacks } from "./variable-changes.ts";

/** The result of an asynchronous tool, which a later turn reports. */
interface LateResult {
  readonly tool: string;
  readonly failed: boolean;
  readonly response: JsonObject;
}

/** The parts of a turn of a stored conversation. */
export interface StoredTurnParts {
  readonly messages: readonly Message[];
  /** When it began, milliseconds. */
  readonly time: number;
  /** The inputs, as far as the messages show them. */
  readonly inputs: readonly SessionInput[];
  readonly late: readonly LateResult[];
  /** Calls of agents' models, and of guardrails' judges, in order. */
  readonly modelSpans: readonly Span[];
  /** The output of each model call that a callback replaced, in the order of `modelSpans`. */
  readonly modelOutputs: readonly (readonly StreamPart[] | undefined)[];
  readonly judgeSpans: readonly Span[];
}

/** Splits a stored turn into its parts. Variables that the app does not declare are not among the inputs, because the turn ignored them. */
export function partsOfTurn(
  { messages, rootSpan }: Conversation_Turn,
  setByCallbacks: SetByCallbacks,
): StoredTurnParts {
  const spans = rootSpan?.childSpans ?? [];
  const fromUser = messages.slice(0, leadingUserMessages(messages));
  const inputs = fromUser.flatMap((message) => (lateResult(message) ? [] : inputsOf(message, setByCallbacks)));
  return {
    messages,
    time: rootSpan?.startTime ? timestampMs(rootSpan.startTime) : 0,
    // A turn that only reports late results had an empty input.
    inputs: inputs.length > 0 ? inputs : [input({ case: "variables", value: {} })],
    late: fromUser.flatMap((message) => lateResult(message) ?? []),
    modelSpans: spans.filter(isModelCall),
    modelOutputs: spans.flatMap((span, at) => (isModelCall(span) ? [replacedOutput(spans.slice(at + 1))] : [])),
    judgeSpans: spans.filter(({ name, attributes }) => name === "Guardrail" && attributes?.model !== undefined),
  };
}

function isModelCall({ name }: Span): boolean {
  return name === "LLM";
}

/** The output of a model, from the spans of the callbacks after its call. */
function replacedOutput(later: readonly Span[]): readonly StreamPart[] | undefined {
  const next = later.findIndex(isModelCall);
  const output = later
    .slice(0, next < 0 ? undefined : next)
    .map(({ attributes }) => attributes?.["model output"])
    .find(isJsonObject);
  return Array.isArray(output?.parts) ? output.parts.flatMap(outputPart) : undefined;
}

/** A part as Python sees it (`Part`). */
function outputPart(part: JsonValue): readonly StreamPart[] {
  if (!isJsonObject(part)) return [];
  if (typeof part.text === "string") return [{ kind: "text-delta", text: part.text }];
  const { function_call: call } = part;
  if (!isJsonObject(call)) return [];
  const { id, name, args } = call;
  return [{ kind: "function-call", id: String(id ?? ""), name: String(name), args: isJsonObject(args) ? args : {} }];
}

function leadingUserMessages(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== "user");
  return first < 0 ? messages.length : first;
}

const LATE = /^<context>function \[([^\]]+)\] (completed with response|failed with error) (\{[\s\S]*\})<\/context>$/;

/** The late result of a tool that a message reports; undefined for other messages. */
export function lateResult({ chunks }: Message): LateResult | undefined {
  const text = chunks.find(({ data }) => data.case === "text")?.data.value;
  const [, tool, outcome, json] = (typeof text === "string" && LATE.exec(text)) || [];
  if (!tool || !json) return undefined;
  const response: unknown = JSON.parse(json);
  return isJsonObject(response) ? { tool, failed: outcome === "failed with error", response } : undefined;
}

function inputsOf({ chunks }: Message, setByCallbacks: SetByCallbacks): readonly SessionInput[] {
  return chunks.flatMap(({ data }) =>
    data.case === "updatedVariables"
      ? [input({ case: "variables", value: changesOfCalls(chunks, data.value, setByCallbacks) })]
      : inputsOfChunk(data),
  );
}

function inputsOfChunk(data: Chunk["data"]): readonly SessionInput[] {
  switch (data.case) {
    case "text":
    case "transcript":
      return [input({ case: "text", value: data.value })];
    case "image":
    case "blob":
      return [input(data)];
    case "toolResponse":
      return [
        create(SessionInputSchema, {
          inputType: { case: "toolResponses", value: { toolResponses: [data.value] } },
        }),
      ];
    default:
      return [];
  }
}

function input(inputType: SessionInput["inputType"]): SessionInput {
  return create(SessionInputSchema, { inputType });
}
