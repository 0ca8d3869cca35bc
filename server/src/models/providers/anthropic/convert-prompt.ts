import { type JsonArray, unreachable } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "../../contract.ts";
import type { FunctionNames } from "../../function-names.ts";
import { ownSignature } from "../../thought-signature.ts";
import { toBase64 } from "../../to-base64.ts";
import { unsupportedBlobText } from "../../unsupported-blob.ts";

/** What a request to one model is made with. */
export interface MessagesOptions {
  readonly model: string;
  readonly streaming: boolean;
  readonly names: FunctionNames;
}

/** Marks thinking blocks, which travel as the signature of what they came before. */
export const THINKING = "anthropic";

/** The function through which an answer of a given schema comes: any model can call one, only newer ones have an output format. */
export const ANSWER_TOOL = "answer_as_json";

/** The field is required; every current model can write this much, and an agent's turn is shorter. */
const DEFAULT_MAX_TOKENS = 8192;

/** A request to create a message, as JSON text. Source: Anthropic API reference, "Create a Message". */
export function toMessagesRequest(request: ModelRequest, { model, streaming, names }: MessagesOptions): string {
  return JSON.stringify({
    model,
    max_tokens: request.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    system: request.system === "" ? undefined : request.system,
    messages: toMessages(request.messages, names),
    ...toTools(request, names),
    // Gemini's scale ends at 2, Anthropic's at 1.
    temperature: request.temperature === undefined ? undefined : Math.min(request.temperature, 1),
    ...(streaming && { stream: true }),
  });
}

function toTools({ tools, responseSchema }: ModelRequest, names: FunctionNames): object {
  const declared: object[] = tools.map(({ name, description, parameters }) => ({
    name: names.toWire(name),
    description,
    input_schema: { type: "object", ...parameters },
  }));
  if (responseSchema) {
    const description = "Gives the answer. Call this instead of writing text.";
    declared.push({ name: ANSWER_TOOL, description, input_schema: responseSchema });
  }
  if (declared.length === 0) return {};
  if (!responseSchema) return { tools: declared };
  return { tools: declared, tool_choice: tools.length === 0 ? { type: "tool", name: ANSWER_TOOL } : { type: "any" } };
}

interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: object[];
}

/** Turns alternate and the user begins; neighbours of one role become one message. */
function toMessages(messages: readonly ModelMessage[], names: FunctionNames): readonly WireMessage[] {
  const converted: WireMessage[] = [];
  for (const { role, parts } of messages) {
    const content = role === "model" ? toAssistantContent(parts, names) : toUserContent(parts);
    if (content.length === 0) continue;
    const wireRole = role === "model" ? "assistant" : "user";
    const last = converted.at(-1);
    if (last?.role === wireRole) last.content.push(...content);
    else converted.push({ role: wireRole, content });
  }
  if (converted[0]?.role === "assistant") {
    converted.unshift({ role: "user", content: [{ type: "text", text: "[The conversation starts.]" }] });
  }
  return converted;
}

function toAssistantContent(parts: readonly ModelPart[], names: FunctionNames): object[] {
  return parts.flatMap((part): object[] => {
    switch (part.kind) {
      case "text":
        return [...toThinking(part.signature), ...toText(part.text)];
      case "blob":
        return toText(unsupportedBlobText(part.mimeType));
      case "function-call": {
        const { id, name, args } = part;
        return [
          ...toThinking(part.signature),
          { type: "tool_use", id: fitId(id), name: names.toWire(name), input: args },
        ];
      }
      case "function-response":
        throw new Error("a function response can only be in a message of the user");
      default:
        return unreachable(part);
    }
  });
}

function toThinking(signature: string | undefined): object[] {
  const blocks = ownSignature(THINKING, signature);
  // Written by our own reader of the stream, hence a list of blocks.
  return blocks === undefined ? [] : (JSON.parse(blocks) as JsonArray as object[]);
}

/** Answers of functions first: the API takes them nowhere else in a message. */
function toUserContent(parts: readonly ModelPart[]): object[] {
  const results: object[] = [];
  const rest: object[] = [];
  for (const part of parts) {
    switch (part.kind) {
      case "function-response":
        results.push({ type: "tool_result", tool_use_id: fitId(part.id), content: JSON.stringify(part.response) });
        break;
      case "text":
        rest.push(...toText(part.text));
        break;
      case "blob":
        rest.push(...toAttachment(part.mimeType, part.data));
        break;
      case "function-call":
        throw new Error("a function call can only be in a message of the model");
      default:
        unreachable(part);
    }
  }
  return results.length === 0 ? rest : [...results, ...rest];
}

/** Texts of nothing but white space are refused. */
function toText(text: string): object[] {
  return /\S/.test(text) ? [{ type: "text", text }] : [];
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function toAttachment(mimeType: string, data: Uint8Array): object[] {
  const source = () => ({ type: "base64", media_type: mimeType, data: toBase64(data) });
  if (IMAGE_TYPES.has(mimeType)) return [{ type: "image", source: source() }];
  if (mimeType === "application/pdf") return [{ type: "document", source: source() }];
  return toText(unsupportedBlobText(mimeType));
}

/** Ids of other providers may hold characters that are refused here; call and response change alike. */
function fitId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}
