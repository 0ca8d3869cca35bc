import { type JsonArray, type JsonObject, unreachable, writeJson } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "../../contract.ts";
import { toBase64, unsupportedBlobText } from "../shared/blobs.ts";
import type { FunctionNames } from "../shared/function-calls.ts";
import { ownSignature } from "../shared/thought-signature.ts";
import { THINKING, thoughtTokens } from "./thinking.ts";

/** What a request to one model is made with. */
interface MessagesOptions {
  readonly model: string;
  readonly streaming: boolean;
  readonly names: FunctionNames;
  /** Members that ask for thinking. */
  readonly thinking?: JsonObject | undefined;
}

/** The function whose arguments are the answer to a request with a response schema: only newer models have an output format. */
export const ANSWER_TOOL = "answer_as_json";

/** The field is required; every current model can write this much, and an agent's turn is shorter. */
const DEFAULT_MAX_TOKENS = 8192;

/** A request to create a message, as JSON text. Source: Anthropic API reference, "Create a Message". */
export function toMessagesRequest(request: ModelRequest, options: MessagesOptions): string {
  const { model, streaming, names, thinking } = options;
  const forThoughts = thoughtTokens(thinking, request.thinkingLevel);
  return JSON.stringify({
    model,
    max_tokens: (request.maxOutputTokens ?? DEFAULT_MAX_TOKENS) + forThoughts,
    ...thinking,
    system: request.system === "" ? undefined : request.system,
    messages: toMessages(request.messages, names),
    ...toTools(request, names),
    // Gemini's scale ends at 2, Anthropic's at 1, and a model that thinks takes none.
    temperature: request.temperature === undefined || forThoughts > 0 ? undefined : Math.min(request.temperature, 1),
    ...(streaming && { stream: true }),
  });
}

function toTools({ tools, responseSchema }: ModelRequest, names: FunctionNames): object {
  const declared: object[] = tools.map(({ name, description, parameters }) => ({
    name: names.toProvider(name),
    description: names.describe({ name, description }),
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

interface AnthropicMessage {
  readonly role: "user" | "assistant";
  readonly content: object[];
}

/** Roles must alternate and start with `user`; consecutive messages of one role are merged. */
function toMessages(messages: readonly ModelMessage[], names: FunctionNames): readonly AnthropicMessage[] {
  const converted: AnthropicMessage[] = [];
  for (const { role, parts } of messages) {
    const content = role === "model" ? toAssistantContent(parts, names) : toUserContent(parts);
    if (content.length === 0) continue;
    const providerRole = role === "model" ? "assistant" : "user";
    const last = converted.at(-1);
    if (last?.role === providerRole) last.content.push(...content);
    else converted.push({ role: providerRole, content });
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
          { type: "tool_use", id: fitId(id), name: names.toProvider(name), input: args },
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

/** Tool results first: the API accepts them nowhere else in a message. */
function toUserContent(parts: readonly ModelPart[]): object[] {
  const results: object[] = [];
  const rest: object[] = [];
  for (const part of parts) {
    switch (part.kind) {
      case "function-response":
        results.push({ type: "tool_result", tool_use_id: fitId(part.id), content: writeJson(part.response) });
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

/** The API rejects texts of white space alone. */
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

/** Ids of other providers may contain characters that this API rejects; call and response change alike. */
function fitId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}
