import { type Ids, isJsonObject, type JsonObject, type JsonValue, textOrEmpty } from "#base";
import type { FinishReason, StreamPart, Usage } from "../../contract.ts";
import type { ResponseReader } from "../../http/http-attempt.ts";
import { errorFromBody, errorIn } from "../../model-call-error.ts";
import { argsText, type FunctionNames, newCallId, readArgs } from "../shared/function-calls.ts";

/** Reads a `GenerateContentResponse`: a whole one, or those of a stream, which have the same shape. */
export class GeminiResponseReader implements ResponseReader {
  readonly #ids: Ids;
  readonly #names: FunctionNames;
  readonly #thoughts: boolean;
  #rawReason = "";
  #finishMessage = "";
  #blockReason = "";
  #hasCalls = false;
  #usage: Usage = {};

  /** With `thoughts`, yields what the model shows of its thoughts. */
  constructor(ids: Ids, names: FunctionNames, thoughts: boolean) {
    this.#ids = ids;
    this.#names = names;
    this.#thoughts = thoughts;
  }

  read(json: JsonObject, parts: StreamPart[]): void {
    const { candidates, promptFeedback, usageMetadata } = json;
    const error = errorIn(json);
    if (error) throw errorFromBody(error, typeof error.code === "number" ? error.code : 500);
    if (isJsonObject(usageMetadata)) this.#usage = toUsage(usageMetadata);
    if (isJsonObject(promptFeedback)) this.#blockReason = textOrEmpty(promptFeedback.blockReason);
    const candidate = Array.isArray(candidates) ? candidates[0] : undefined;
    if (!isJsonObject(candidate)) return;
    const { content, finishReason, finishMessage } = candidate;
    if (isJsonObject(content) && Array.isArray(content.parts)) {
      for (const part of content.parts) this.#part(part, parts);
    }
    this.#rawReason = textOrEmpty(finishReason) || this.#rawReason;
    this.#finishMessage = textOrEmpty(finishMessage) || this.#finishMessage;
  }

  finish(parts: StreamPart[]): void {
    // A blocked prompt has no candidate, and so no reason of its own.
    const blocked = this.#rawReason === "" && this.#blockReason !== "";
    parts.push({
      kind: "finish",
      reason: blocked ? "safety" : mapFinishReason(this.#rawReason, this.#hasCalls),
      rawReason: [blocked ? this.#blockReason : this.#rawReason, this.#finishMessage].filter(Boolean).join(": "),
      usage: this.#usage,
    });
  }

  hasEnded(): boolean {
    return this.#rawReason !== "" || this.#blockReason !== "";
  }

  usage(): Usage {
    return this.#usage;
  }

  #part(part: JsonValue, parts: StreamPart[]): void {
    if (!isJsonObject(part)) return;
    if (part.thought === true) {
      if (this.#thoughts && typeof part.text === "string" && part.text !== "")
        parts.push({ kind: "thought-delta", text: part.text });
      return;
    }
    const signature = typeof part.thoughtSignature === "string" ? { signature: part.thoughtSignature } : undefined;
    if (isJsonObject(part.functionCall)) {
      const { id, name, args } = part.functionCall;
      this.#hasCalls = true;
      parts.push({
        kind: "function-call",
        id: textOrEmpty(id) || newCallId(this.#ids),
        name: this.#names.fromProvider(textOrEmpty(name)),
        ...(isJsonObject(args) ? { args } : readArgs(argsText(args))),
        ...signature,
      });
    } else if (typeof part.text === "string" && (part.text !== "" || signature)) {
      parts.push({ kind: "text-delta", text: part.text, ...signature });
    }
  }
}

function toUsage(metadata: JsonObject): Usage {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = metadata;
  return {
    ...(typeof promptTokenCount === "number" && { inputTokens: promptTokenCount }),
    ...(typeof candidatesTokenCount === "number" && { outputTokens: candidatesTokenCount }),
    ...(typeof thoughtsTokenCount === "number" && { thoughtTokens: thoughtsTokenCount }),
    ...(typeof cachedContentTokenCount === "number" && { cachedTokens: cachedContentTokenCount }),
  };
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "safety",
  RECITATION: "safety",
  BLOCKLIST: "safety",
  PROHIBITED_CONTENT: "safety",
  SPII: "safety",
  IMAGE_SAFETY: "safety",
  IMAGE_PROHIBITED_CONTENT: "safety",
  MODEL_ARMOR: "safety",
  MALFORMED_FUNCTION_CALL: "malformed",
  MALFORMED_RESPONSE: "malformed",
  UNEXPECTED_TOOL_CALL: "malformed",
};

/** Maps `Candidate.FinishReason`. Gemini sends STOP after function calls too, hence `hasCalls`. */
function mapFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const mapped = REASONS[reason] ?? "other";
  return mapped === "stop" && hasCalls ? "tool-calls" : mapped;
}
