import { setTimeout as delay } from "node:timers/promises";
import type { HostCall, HostCallHandler, HostReply } from "./contract.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** Questions that one run may ask (PY-39); waiting and collecting answers are free. */
const CALL_LIMIT = 100;

/** A question that is refused is answered after this many milliseconds: asking in vain, in a loop, must not occupy the server. */
const REFUSAL_DELAY_MS = 5;

/** An answer of more characters would not leave the code room to work with it. */
const ANSWER_LIMIT = 8 << 20;

const LONGEST_SLEEP_SECONDS = 86_400;

/** Answers the questions of one run: tools, HTTP, sleeping. */
export class HostCalls {
  readonly #handler: HostCallHandler;
  readonly #toolNames: readonly string[];
  /** Made for the first call that may have to stop: most runs ask for nothing. */
  #abort: AbortController | undefined;
  /** Asynchronously started tools, by handle. */
  readonly #started = new Map<number, Promise<HostReply>>();
  #count = 0;

  constructor(handler: HostCallHandler, toolNames: readonly string[]) {
    this.#handler = handler;
    this.#toolNames = toolNames;
  }

  /** Answers one question. Never rejects; what cannot be served is `{refused}`, which the guest raises. */
  readonly answer = async (question: JsonValue): Promise<JsonObject> => {
    const answer = await this.#answer(question);
    if ("refused" in answer) await delay(REFUSAL_DELAY_MS);
    return answer;
  };

  async #answer(question: JsonValue): Promise<JsonObject> {
    if (!isJsonObject(question)) return { refused: "the question is malformed" };
    switch (question.op) {
      case "sleep":
        return this.#sleep(question.seconds);
      case "tool_wait":
        return this.#wait(question.handle);
      case "tool":
      case "tool_start":
      case "http":
        return this.#serve(question);
      default:
        return { refused: "there is no such operation" };
    }
  }

  /** Waits for the started tools that nobody waited for, `milliseconds` at most and no longer than the caller does. */
  async settle(milliseconds: number, callerSignal?: AbortSignal): Promise<void> {
    if (this.#started.size === 0 || milliseconds <= 0) return;
    const done = new AbortController();
    const signal = callerSignal ? AbortSignal.any([done.signal, callerSignal]) : done.signal;
    const timeUp = delay(milliseconds, undefined, { signal }).catch(() => {}); // nobody waits any more
    await Promise.race([Promise.all(this.#started.values()), timeUp]);
    done.abort();
  }

  /** The run is over: whoever still works for it may stop. */
  abort(): void {
    this.#abort?.abort();
  }

  async #serve(question: JsonObject): Promise<JsonObject> {
    this.#count += 1;
    if (this.#count > CALL_LIMIT)
      return { refused: `a run may make ${CALL_LIMIT} calls of tools and HTTP, and made them` };
    const call = question.op === "http" ? readHttp(question) : this.#readTool(question);
    if (!call) return { refused: "the question is malformed" };
    const reply = this.#perform(call);
    if (question.op !== "tool_start") return toAnswer(await reply);
    this.#started.set(this.#count, reply);
    return { handle: this.#count };
  }

  get #signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  async #perform(call: HostCall): Promise<HostReply> {
    try {
      return await this.#handler(call, this.#signal);
    } catch (error) {
      return { status: 500, reason: error instanceof Error ? error.message : String(error), text: "" };
    }
  }

  /** An answer is handed out once, and then is the guest's: asking again would cost the server, for nothing. */
  async #wait(handle: JsonValue | undefined): Promise<JsonObject> {
    const reply = typeof handle === "number" ? this.#started.get(handle) : undefined;
    if (typeof handle === "number") this.#started.delete(handle);
    return reply ? toAnswer(await reply) : { refused: "there is no such running tool" };
  }

  async #sleep(seconds: JsonValue | undefined): Promise<JsonObject> {
    if (typeof seconds !== "number" || !(seconds >= 0)) return { refused: "the question is malformed" };
    const signal = this.#signal;
    await delay(Math.min(seconds, LONGEST_SLEEP_SECONDS) * 1000, undefined, { signal }).catch(() => {}); // ended: nobody waits
    return {};
  }

  #readTool({ name, args }: JsonObject): HostCall | undefined {
    const isKnown = typeof name === "string" && this.#toolNames.includes(name);
    return isKnown && isJsonObject(args) ? { op: "tool", name, args } : undefined;
  }
}

function readHttp(question: JsonObject): HostCall | undefined {
  const { method, url, headers, body, bodyEncoding, timeout, allowRedirects } = question;
  if (typeof method !== "string" || typeof url !== "string" || !isTextMap(headers)) return undefined;
  return {
    op: "http",
    method,
    url,
    headers,
    ...(typeof body === "string" && { body }),
    ...(bodyEncoding === "base64" && { bodyEncoding }),
    ...(typeof timeout === "number" && { timeout }),
    ...(typeof allowRedirects === "boolean" && { allowRedirects }),
  };
}

function isTextMap(value: JsonValue | undefined): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function toAnswer({ status, reason, text, headers }: HostReply): JsonObject {
  if (text.length > ANSWER_LIMIT)
    return { refused: `the answer has ${text.length} characters; the limit is ${ANSWER_LIMIT}` };
  return { status, reason, text, headers: { ...headers } };
}
