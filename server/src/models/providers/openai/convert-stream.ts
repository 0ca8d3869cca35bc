import { definedFields, type Ids, isJsonObject, type JsonObject, type JsonValue, textOrEmpty } from "#base";
import type { FinishReason, StreamPart, Usage } from "../../contract.ts";
import type { ResponseReader } from "../../http/http-attempt.ts";
import { errorFromBody, errorIn } from "../../model-call-error.ts";
import { argsText, type FunctionNames, newCallId, readArgs } from "../shared/function-calls.ts";
import { markSignature } from "../shared/thought-signature.ts";
import { EXTRA_CONTENT } from "./convert-prompt.ts";
import { InlineThoughts } from "./inline-thoughts.ts";

interface PendingCall {
  id: string;
  name: string;
  args: string;
  signature: string | undefined;
}

/** Reads chat completions: a whole one, or the chunks of a stream. Tool calls are buffered until they are complete. */
export class OpenAiResponseReader implements ResponseReader {
  readonly #ids: Ids;
  readonly #names: FunctionNames;
  #calls: PendingCall[] = [];
  #rawReason = "";
  #hasRefusal = false;
  readonly #thoughts: boolean;
  readonly #inlineThoughts = new InlineThoughts();
  #usage: Usage = {};

  /** With `thoughts`, yields the thoughts of servers that send them. */
  constructor(ids: Ids, names: FunctionNames, thoughts: boolean) {
    this.#ids = ids;
    this.#names = names;
    this.#thoughts = thoughts;
  }

  read(json: JsonObject, parts: StreamPart[]): void {
    const { choices, usage } = json;
    const error = errorIn(json);
    if (error) throw errorFromBody(error, statusOf(error));
    if (isJsonObject(usage)) this.#usage = toUsage(usage);
    // Azure opens with a chunk without choices, and the usage comes in one at the end.
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    if (!isJsonObject(choice)) return;
    const message = choice.delta ?? choice.message;
    if (isJsonObject(message)) this.#message(message, parts);
    this.#rawReason = textOrEmpty(choice.finish_reason) || this.#rawReason;
  }

  finish(parts: StreamPart[]): void {
    this.#push(this.#inlineThoughts.end(), parts);
    const mapped = this.#hasRefusal ? "safety" : mapFinishReason(this.#rawReason, this.#calls.length > 0);
    const named = this.#calls.filter(({ name }) => name !== "");
    for (const call of named) parts.push(...this.#toCall(call, mapped));
    const isNameless = named.length < this.#calls.length && mapped !== "length";
    parts.push({
      kind: "finish",
      reason: isNameless ? "malformed" : mapped,
      rawReason: isNameless ? "a call without the name of a function" : this.#rawReason,
      usage: this.#usage,
    });
  }

  hasEnded(): boolean {
    return this.#rawReason !== "";
  }

  usage(): Usage {
    return this.#usage;
  }

  #message(message: JsonObject, parts: StreamPart[]): void {
    const { content, refusal, tool_calls: calls } = message;
    const thought = this.#thoughts ? thoughtOf(message) : "";
    if (thought !== "") parts.push({ kind: "thought-delta", text: thought });
    if (typeof content === "string" && content !== "") this.#push(this.#inlineThoughts.read(content), parts);
    if (typeof refusal === "string" && refusal !== "") {
      this.#hasRefusal = true;
      parts.push({ kind: "text-delta", text: refusal });
    }
    if (!Array.isArray(calls)) return;
    for (const [position, call] of calls.entries()) if (isJsonObject(call)) this.#callDelta(call, position);
  }

  /** Thoughts only where they are wanted. */
  #push(pieces: ReturnType<InlineThoughts["read"]>, parts: StreamPart[]): void {
    for (const piece of pieces) if (this.#thoughts || piece.kind !== "thought-delta") parts.push(piece);
  }

  #callDelta(delta: JsonObject, position: number): void {
    const { id, function: called, extra_content: extra } = delta;
    const call = this.#pendingCall(delta, position);
    if (typeof id === "string" && id !== "") call.id = id;
    if (isJsonObject(extra)) call.signature = markSignature(EXTRA_CONTENT, JSON.stringify(extra));
    if (!isJsonObject(called)) return;
    const { name, arguments: args } = called;
    if (typeof name === "string" && name !== "") call.name = name;
    call.args += argsText(args);
  }

  /** By `index`; servers that leave it out begin a new call with a new id. */
  #pendingCall({ index, id }: JsonObject, position: number): PendingCall {
    const last = this.#calls.length - 1;
    const continues = textOrEmpty(id) === "" || this.#calls[last]?.id === id;
    const fallback = last >= 0 && continues && position === 0 ? last : last + 1;
    const at = typeof index === "number" && index >= 0 && index <= last + 1 ? index : fallback;
    const call = this.#calls[at] ?? { id: "", name: "", args: "", signature: undefined };
    this.#calls[at] = call;
    return call;
  }

  /** A call that the limit of tokens cut off is not the model's mistake, and none. */
  #toCall({ id, name, args, signature }: PendingCall, reason: FinishReason): readonly StreamPart[] {
    const read = readArgs(args);
    if (read.unreadableArgs !== undefined && reason === "length") return [];
    return [
      {
        kind: "function-call",
        id: id || newCallId(this.#ids),
        name: this.#names.fromProvider(name),
        ...read,
        ...definedFields({ signature }),
      },
    ];
  }
}

/** Thoughts, which compatible servers send under either name; OpenAI's own API sends none. */
function thoughtOf({ reasoning_content: content, reasoning }: JsonObject): string {
  return textOrEmpty(content) || textOrEmpty(reasoning);
}

function statusOf({ code, status }: JsonObject): number {
  const given = [code, status].map(Number).find((value) => value >= 400 && value <= 599);
  return given ?? 500;
}

function toUsage(usage: JsonObject): Usage {
  const { prompt_tokens: input, completion_tokens: output } = usage;
  const reasoning = numberIn(usage.completion_tokens_details, "reasoning_tokens");
  const cached = numberIn(usage.prompt_tokens_details, "cached_tokens");
  return {
    ...(typeof input === "number" && { inputTokens: input }),
    ...(typeof output === "number" && { outputTokens: output }),
    ...definedFields({ thoughtTokens: reasoning, cachedTokens: cached }),
  };
}

function numberIn(details: JsonValue | undefined, name: string): number | undefined {
  const value = isJsonObject(details) ? details[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "safety",
};

/** Maps `finish_reason` of a choice. Some compatible servers send `stop` after tool calls, hence `hasCalls`. */
function mapFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const mapped = REASONS[reason] ?? "other";
  return hasCalls && mapped === "stop" ? "tool-calls" : mapped;
}
