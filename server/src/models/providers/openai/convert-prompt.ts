import { isJsonObject, type JsonObject, type JsonValue, unreachable, writeJson } from "#base";
import type { FunctionDeclaration, JsonSchema, ModelMessage, ModelPart, ModelRequest } from "../../contract.ts";
import { toBase64, unsupportedBlobText } from "../shared/blobs.ts";
import type { FunctionNames } from "../shared/function-calls.ts";
import { ownSignature } from "../shared/thought-signature.ts";

/** What a request to one server is made with. */
interface ChatCompletionOptions {
  readonly model: string;
  readonly streaming: boolean;
  readonly names: FunctionNames;
  /** OpenAI's reasoning models reject the older `max_tokens`; most compatible servers know only that. */
  readonly maxTokensField: "max_completion_tokens" | "max_tokens";
  /** Members that ask for thinking. */
  readonly thinking?: JsonObject | undefined;
}

/** Marks what a tool call carried in `extra_content`: Gemini's thought signature behind its OpenAI-shaped endpoint. */
export const EXTRA_CONTENT = "openai-extra";

/** A chat completion request, as JSON text. Source: OpenAI API reference, "Create chat completion". */
export function toChatCompletionRequest(request: ModelRequest, options: ChatCompletionOptions): string {
  const { model, streaming, names, maxTokensField, thinking } = options;
  return JSON.stringify({
    model,
    messages: [
      ...(request.system === "" ? [] : [{ role: "system", content: request.system }]),
      ...request.messages.flatMap((message) => toMessages(message, names)),
    ],
    tools: request.tools.length === 0 ? undefined : request.tools.map((tool) => toTool(tool, names)),
    temperature: request.temperature,
    ...thinking,
    [maxTokensField]: request.maxOutputTokens,
    response_format: request.responseSchema && toResponseFormat(request.responseSchema),
    ...(streaming && { stream: true, stream_options: { include_usage: true } }),
  });
}

function toTool({ name, description, parameters }: FunctionDeclaration, names: FunctionNames): object {
  const described = names.describe({ name, description });
  return { type: "function", function: { name: names.toProvider(name), description: described, parameters } };
}

function toResponseFormat(schema: JsonSchema): object {
  return { type: "json_schema", json_schema: { name: "answer", schema, strict: fitsStrictMode(schema) } };
}

/** Strict mode rejects schemas with optional or additional properties; those are sent without it. */
function fitsStrictMode(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.every(fitsStrictMode);
  if (!isJsonObject(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object" || properties !== undefined) {
    if (additionalProperties !== false || !isJsonObject(properties)) return false;
    const listed = Array.isArray(required) ? required : [];
    if (!Object.keys(properties).every((name) => listed.includes(name))) return false;
  }
  return Object.values(schema).every(fitsStrictMode);
}

function toMessages({ role, parts }: ModelMessage, names: FunctionNames): object[] {
  return role === "model" ? toAssistantMessage(parts, names) : toUserMessages(parts);
}

function toAssistantMessage(parts: readonly ModelPart[], names: FunctionNames): object[] {
  const content = parts.map(spokenText).join("");
  const calls = parts.flatMap((part) => (part.kind === "function-call" ? [toToolCall(part, names)] : []));
  if (content === "" && calls.length === 0) return [];
  return [
    { role: "assistant", content: content === "" ? null : content, ...(calls.length > 0 && { tool_calls: calls }) },
  ];
}

function spokenText(part: ModelPart): string {
  if (part.kind === "text") return part.text;
  return part.kind === "blob" ? unsupportedBlobText(part.mimeType) : "";
}

function toToolCall(call: Extract<ModelPart, { kind: "function-call" }>, names: FunctionNames): object {
  const { id, name, args } = call;
  const extra = ownSignature(EXTRA_CONTENT, call.signature);
  return {
    id,
    type: "function",
    function: { name: names.toProvider(name), arguments: writeJson(args) },
    ...(extra !== undefined && { extra_content: JSON.parse(extra) as JsonObject }),
  };
}

/** Tool messages first: each must follow its call directly, before further content of the user. */
function toUserMessages(parts: readonly ModelPart[]): object[] {
  const messages: object[] = [];
  const content: object[] = [];
  for (const part of parts) {
    if (part.kind === "function-response") {
      messages.push({ role: "tool", tool_call_id: part.id, content: writeJson(part.response) });
    } else if (part.kind !== "text" || part.text !== "") {
      content.push(toContentPart(part));
    }
  }
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "text" && only.text !== "") return [{ role: "user", content: only.text }];
  return content.length === 0 ? messages : [...messages, { role: "user", content }];
}

function toContentPart(part: Exclude<ModelPart, { kind: "function-response" }>): object {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "blob":
      return toBlobPart(part.mimeType, part.data);
    case "function-call":
      throw new Error("a function call can only be in a message of the model");
    default:
      return unreachable(part);
  }
}

function toBlobPart(mimeType: string, data: Uint8Array): object {
  if (mimeType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${toBase64(data)}` } };
  }
  const format = AUDIO_FORMATS[mimeType];
  if (format) return { type: "input_audio", input_audio: { data: toBase64(data), format } };
  if (mimeType === "application/pdf") {
    const file_data = `data:${mimeType};base64,${toBase64(data)}`;
    return { type: "file", file: { filename: "attachment.pdf", file_data } };
  }
  return { type: "text", text: unsupportedBlobText(mimeType) };
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};
