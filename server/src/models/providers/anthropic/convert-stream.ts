import { definedFields, type Ids, isJsonObject, type JsonObject, type JsonValue, textOrEmpty } from "#base";
import type { FinishReason, StreamPart, Usage } from "../../contract.ts";
import type { ResponseReader } from "../../http/http-attempt.ts";
import { errorFromBody, errorIn } from "../../model-call-error.ts";
import { argsText, type FunctionNames, newCallId, readArgs } from "../shared/function-calls.ts";
import { markSignature } from "../shared/thought-signature.ts";
import { ANSWER_TOOL } from "./convert-prompt.ts";
import { THINKING } from "./thinking.ts";

/** The block being written. */
type OpenBlock =
  | { readonly kind: "text" }
  | { readonly kind: "answer" }
  | { readonly kind: "call"; readonly id: string; readonly name: string; args: string }
  | { readonly kind: "thinking"; thinking: string; signature: string }
  | { readonly kind: "other" };

/** Reads the messages API: the events of a stream, or one whole message. */
export class AnthropicResponseReader implements ResponseReader {
  readonly #ids: Ids;
  readonly #names: FunctionNames;
  readonly #thoughts: boolean;
  #block: OpenBlock = { kind: "other" };
  /** Finished thinking blocks that wait for the next text or call, which carries them as its signature. */
  #thinking: JsonObject[] = [];
  #rawReason = "";
  /** A call whose arguments cannot be read: the limit of tokens may have cut it off. */
  #unreadable: Extract<StreamPart, { kind: "function-call" }> | undefined;
  #answered = false;
  #called = false;
  #counts: Readonly<Record<string, number>> = {};

  /** With `thoughts`, yields what the model shows of its thoughts. */
  constructor(ids: Ids, names: FunctionNames, thoughts: boolean) {
    this.#ids = ids;
    this.#names = names;
    this.#thoughts = thoughts;
  }

  read(json: JsonObject, parts: StreamPart[]): void {
    switch (json.type) {
      case "message_start":
        this.#count(json.message);
        break;
      case "content_block_start":
        this.#startBlock(json.content_block, parts);
        break;
      case "content_block_delta":
        if (isJsonObject(json.delta)) this.#delta(json.delta, parts);
        break;
      case "content_block_stop":
        this.#stopBlock(parts);
        break;
      case "message_delta":
        this.#count(json);
        if (isJsonObject(json.delta)) this.#rawReason = textOrEmpty(json.delta.stop_reason) || this.#rawReason;
        break;
      case "message":
        this.#whole(json, parts);
        break;
      default: {
        // Besides errors: `ping`, `message_stop`, and whatever is added later.
        const error = errorIn(json);
        if (error) throw errorFromBody(error, STATUSES[textOrEmpty(error.type)] ?? 500);
      }
    }
  }

  finish(parts: StreamPart[]): void {
    this.#stopBlock(parts);
    const reason = this.#reason();
    if (this.#unreadable && reason !== "length") parts.push(this.#unreadable);
    parts.push({ kind: "finish", reason, rawReason: this.#rawReason, usage: this.usage() });
  }

  hasEnded(): boolean {
    return this.#rawReason !== "";
  }

  usage(): Usage {
    const { input_tokens: fresh, cache_read_input_tokens: cached, cache_creation_input_tokens: written } = this.#counts;
    const output = this.#counts.output_tokens;
    return {
      // Anthropic counts cached tokens separately; `inputTokens` counts the whole prompt.
      ...(fresh !== undefined && { inputTokens: fresh + (cached ?? 0) + (written ?? 0) }),
      ...definedFields({ outputTokens: output, cachedTokens: cached }),
    };
  }

  #reason(): FinishReason {
    // The answer came through ANSWER_TOOL, which callers do not know.
    const answered = this.#answered && !this.#called && this.#rawReason === "tool_use";
    return answered ? "stop" : mapFinishReason(this.#rawReason);
  }

  #whole(message: JsonObject, parts: StreamPart[]): void {
    this.#count(message);
    const content = Array.isArray(message.content) ? message.content : [];
    for (const block of content) {
      this.#startBlock(block, parts);
      this.#stopBlock(parts);
    }
    this.#rawReason = textOrEmpty(message.stop_reason);
  }

  #count(holder: JsonValue | undefined): void {
    const usage = isJsonObject(holder) ? holder.usage : undefined;
    if (!isJsonObject(usage)) return;
    const counts = Object.entries(usage).filter((entry): entry is [string, number] => typeof entry[1] === "number");
    this.#counts = { ...this.#counts, ...Object.fromEntries(counts) };
  }

  /** In a whole message a block starts with its content; in a stream it starts empty. */
  #startBlock(block: JsonValue | undefined, parts: StreamPart[]): void {
    this.#block = { kind: "other" };
    // What comes after a call shows that the limit of tokens did not cut it off.
    if (this.#unreadable) parts.push(this.#unreadable);
    this.#unreadable = undefined;
    if (!isJsonObject(block)) return;
    switch (block.type) {
      case "text":
        this.#block = { kind: "text" };
        this.#text(textOrEmpty(block.text), parts);
        break;
      case "tool_use":
        this.#startCall(block, parts);
        break;
      case "thinking":
        this.#block = {
          kind: "thinking",
          thinking: textOrEmpty(block.thinking),
          signature: textOrEmpty(block.signature),
        };
        this.#thought(block, parts);
        break;
      case "redacted_thinking":
        this.#thinking.push(block);
        break;
      default: // Blocks of server tools, which are never requested.
    }
  }

  #startCall({ id, name, input }: JsonObject, parts: StreamPart[]): void {
    // In a stream an empty object stands where the pieces come.
    const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
    const given = isEmpty ? "" : argsText(input);
    if (name === ANSWER_TOOL) {
      this.#answered = true;
      this.#block = { kind: "answer" };
      this.#text(given, parts);
      return;
    }
    this.#called = true;
    this.#block = { kind: "call", id: textOrEmpty(id), name: textOrEmpty(name), args: given };
  }

  #delta(delta: JsonObject, parts: StreamPart[]): void {
    const block = this.#block;
    switch (block.kind) {
      case "text":
        this.#text(textOrEmpty(delta.text), parts);
        break;
      case "answer":
        this.#text(textOrEmpty(delta.partial_json), parts);
        break;
      case "call":
        block.args += textOrEmpty(delta.partial_json);
        break;
      case "thinking":
        block.thinking += textOrEmpty(delta.thinking);
        this.#thought(delta, parts);
        block.signature += textOrEmpty(delta.signature);
        break;
      case "other":
        break;
    }
  }

  #stopBlock(parts: StreamPart[]): void {
    const block = this.#block;
    this.#block = { kind: "other" };
    if (block.kind === "thinking") {
      this.#thinking.push({ type: "thinking", thinking: block.thinking, signature: block.signature });
    }
    if (block.kind !== "call") return;
    const call = {
      kind: "function-call" as const,
      id: block.id || newCallId(this.#ids),
      name: this.#names.fromProvider(block.name),
      ...readArgs(block.args),
      ...this.#signature(),
    };
    if (call.unreadableArgs === undefined) parts.push(call);
    else this.#unreadable = call;
  }

  #thought({ thinking }: JsonObject, parts: StreamPart[]): void {
    const text = textOrEmpty(thinking);
    if (this.#thoughts && text !== "") parts.push({ kind: "thought-delta", text });
  }

  #text(text: string, parts: StreamPart[]): void {
    if (text !== "") parts.push({ kind: "text-delta", text, ...this.#signature() });
  }

  #signature(): { readonly signature?: string } {
    if (this.#thinking.length === 0) return {};
    const signature = markSignature(THINKING, JSON.stringify(this.#thinking));
    this.#thinking = [];
    return { signature };
  }
}

/** The HTTP status that each type of error would have had, had it come before the stream began. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  refusal: "safety",
};

/** Maps `stop_reason` of a message. */
function mapFinishReason(reason: string): FinishReason {
  return REASONS[reason] ?? "other";
}
