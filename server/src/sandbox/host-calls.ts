import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { HostCall, HostCallHandler, HostReply } from "./contract.ts";

/** Questions that one run may ask (reference: python-sandbox 7.4); waiting and collecting answers are free. */
const CALL_LIMIT = 100;

/** An answer of more characters would not leave the code room to work with it. */
const ANSWER_LIMIT = 8 << 20;

const LONGEST_SLEEP_SECONDS = 86_400;

/** Answers the questions of one run: tools, HTTP, sleeping. */
export class HostCalls {
  readonly #handler: HostCallHandler;
  readonly #toolNames: readonly string[];
  readonly #abort = new AbortController();
  /** Asynchronously started tools, by handle. */
  readonly #started: Promise<HostReply>[] = [];
  #count = 0;

  constructor(handler: HostCallHandler, toolNames: readonly string[]) {
    this.#handler = handler;
    this.#toolNames = toolNames;
  }

  /** Answers one question. Never rejects; what cannot be served is `{refused}`, which the guest raises. */
  readonly answer = async (question: JsonValue): Promise<JsonObject> => {
    if (!isJsonObject(question)) return { refused: "the question is malformed" };
    switch (question.op) {
      case "sleep":
        return this.#sleep(Number(question.seconds));
      case "tool_wait":
        return this.#wait(question.handle);
      case "tool":
      case "tool_start":
      case "http":
        return this.#serve(question);
      default:
        return { refused: "there is no such operation" };
    }
  };

  /** The run was ended from outside: whoever still works for it may stop. */
  abort(): void {
    this.#abort.abort();
  }

  async #serve(question: JsonObject): Promise<JsonObject> {
    this.#count += 1;
    if (this.#count > CALL_LIMIT)
      return { refused: `a run may make ${CALL_LIMIT} calls of tools and HTTP, and made them` };
    const call = question.op === "http" ? readHttp(question) : this.#readTool(question);
    if (!call) return { refused: "the question is malformed" };
    const reply = this.#perform(call);
    if (question.op !== "tool_start") return toAnswer(await reply);
    this.#started.push(reply);
    return { handle: this.#started.length - 1 };
  }

  async #perform(call: HostCall): Promise<HostReply> {
    try {
      return await this.#handler(call, this.#abort.signal);
    } catch (error) {
      return { status: 500, reason: error instanceof Error ? error.message : String(error), text: "" };
    }
  }

  async #wait(handle: JsonValue | undefined): Promise<JsonObject> {
    const reply = typeof handle === "number" ? this.#started[handle] : undefined;
    return reply ? toAnswer(await reply) : { refused: "there is no such running tool" };
  }

  async #sleep(seconds: number): Promise<JsonObject> {
    if (!(seconds >= 0)) return { refused: "the question is malformed" };
    const signal = this.#abort.signal;
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
  if (typeof method !== "string" || typeof url !== "string" || !isJsonObject(headers)) return undefined;
  return {
    op: "http",
    method,
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(typeof body === "string" && { body }),
    ...(bodyEncoding === "base64" && { bodyEncoding }),
    ...(typeof timeout === "number" && { timeout }),
    ...(typeof allowRedirects === "boolean" && { allowRedirects }),
  };
}

function toAnswer({ status, reason, text, headers }: HostReply): JsonObject {
  if (text.length > ANSWER_LIMIT)
    return { refused: `the answer has ${text.length} characters; the limit is ${ANSWER_LIMIT}` };
  return { status, reason, text, headers: { ...headers } };
}
