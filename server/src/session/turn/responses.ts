import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelPart } from "#models";
import type { ToolDeclaration } from "#tools";
import type { ChunkInit } from "../model-call/history.ts";
import { IMAGE_TYPES } from "./image-types.ts";
import { CUSTOMIZED_RESPONSE, customizedResponse, readSpeechSettings, type SpeechSettings } from "./speech-settings.ts";

/** A part of an answer: how it is recorded, and what the client gets of it. */
interface ResponsePart {
  readonly chunk: ChunkInit;
  readonly output: OutputInit | undefined;
  readonly speech?: SpeechSettings;
}

/** What an output holds. */
export type OutputInit = NonNullable<MessageInitShape<typeof SessionOutputSchema>["outputType"]>;
type FunctionCall = Extract<ModelPart, { kind: "function-call" }>;
/** The tools that the agent may call, by name. */
type ToolsByName = ReadonlyMap<string, ToolDeclaration>;

/** How a part is recorded and sent; undefined for function calls and empty text. */
export function toResponsePart(part: ModelPart): ResponsePart | undefined {
  if (part.kind === "text") return textPart(part.text);
  if (part.kind !== "blob") return undefined;
  if (!part.mimeType.startsWith("application/json")) return blobPart(part);
  const payload = parseJson(part.data);
  if (part.mimeType === CUSTOMIZED_RESPONSE && isJsonObject(payload)) {
    const text = textPart(String(payload.content ?? ""));
    return text && { ...text, speech: readSpeechSettings(payload) };
  }
  const value: JsonObject = isJsonObject(payload) ? payload : { value: payload };
  return { chunk: { case: "payload", value }, output: { case: "payload", value } };
}

function textPart(text: string): ResponsePart | undefined {
  return text === "" ? undefined : { chunk: { case: "text", value: text }, output: { case: "text", value: text } };
}

/** Raw bytes: sound and images have an output of their own, documents are payloads in the form of Gemini's parts (CB-22). */
function blobPart({ mimeType, data }: Extract<ModelPart, { kind: "blob" }>): ResponsePart {
  return { chunk: { case: "blob", value: { mimeType, data } }, output: bytesOutput(mimeType, data) };
}

/** Raw bytes as the client gets them. */
export function bytesOutput(mimeType: string, data: Uint8Array): OutputInit {
  if (mimeType.startsWith("audio/")) return { case: "audio", value: data };
  if (IMAGE_TYPES.includes(mimeType)) return { case: "image", value: { mimeType, data } };
  const inlineData = { mimeType, data: Buffer.from(data).toString("base64") };
  return { case: "payload", value: { inlineData } };
}

/** A payload that is not JSON after all is sent as text. */
function parseJson(data: Uint8Array): JsonValue {
  const text = new TextDecoder().decode(data);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** A call of customize_response as the text that it sends, with its speech settings; every other part as it is. */
export function withCustomizedResponse(part: ModelPart, tools: ToolsByName): ModelPart {
  if (part.kind !== "function-call" || part.name !== "customize_response" || !tools.has(part.name)) return part;
  return customizedResponse(part.args);
}

/** The text that goes with a call, such as that of a widget. */
export function textOfCall({ name, args }: FunctionCall, tools: ToolsByName): readonly ModelPart[] {
  const userText = tools.get(name)?.userText;
  if (!userText) return [];
  const text = "text" in userText ? userText.text : args[userText.parameter];
  return typeof text === "string" ? [{ kind: "text", text }] : [];
}

/** All text that an answer would send to the user, whichever way (GUARD-6): what guardrails judge. */
export function responseText(parts: readonly ModelPart[], tools: ToolsByName): string {
  return parts
    .map((part) => withCustomizedResponse(part, tools))
    .flatMap((part) => (part.kind === "function-call" ? textOfCall(part, tools) : [part]))
    .map((part) => toResponsePart(part)?.output)
    .map((output) => (output?.case === "text" ? output.value : ""))
    .join("");
}
