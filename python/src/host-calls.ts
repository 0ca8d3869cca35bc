import { setTimeout as delay } from "node:timers/promises";
import type { HostFunctions, TextList } from "./contract.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { readPage } from "./list-pages.ts";

/** Host functions that one run may call (PY-39); waiting for those that were started is free. */
const CALL_LIMIT = 100;

/** A refusal is answered after this many milliseconds: asking in vain, in a loop, must not occupy the host. */
const REFUSAL_DELAY_MS = 5;

const LONGEST_SLEEP_SECONDS = 86_400;

/** Answers the questions of one run: calls of host functions, and sleeping. */
export class HostCalls {
  readonly #functions: HostFunctions;
  readonly #lists: readonly TextList[];
  /** Made for the first call that may have to stop: most runs ask for nothing. */
  #abort: AbortController | undefined;
  /** Answers of the functions that were started, by handle. */
  readonly #started = new Map<number, Promise<JsonObject>>();
  #count = 0;

  /** `lists`: what the run's program may read by page. Reading them is no call to the outside. */
  constructor(functions: HostFunctions, lists: readonly TextList[] = []) {
    this.#functions = functions;
    this.#lists = lists;
  }

  /** Answers one question. Never rejects; what cannot be served is `{refused}`, which the guest raises. */
  readonly answer = async (question: JsonValue): Promise<JsonObject> => {
    const answer = await this.#answer(question);
    if ("refused" in answer) await delay(REFUSAL_DELAY_MS);
    return answer;
  };

  async #answer(question: JsonValue): Promise<JsonObject> {
    if (!isJsonObject(question)) return MALFORMED;
    switch (question.op) {
      case "read":
        return readPage(this.#lists, question);
      case "sleep":
        return this.#sleep(question.seconds);
      case "wait":
        return this.#wait(question.handle);
      case "call":
      case "start":
        return this.#call(question);
      default:
        return { refused: "there is no such operation" };
    }
  }

  /** Waits for the started functions that nobody waited for, `milliseconds` at most and no longer than the caller does. */
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

  async #call({ op, function: name, arguments: args }: JsonObject): Promise<JsonObject> {
    this.#count += 1;
    if (this.#count > CALL_LIMIT)
      return { refused: `a run may make ${CALL_LIMIT} calls to the outside, and made them` };
    if (typeof name !== "string" || !isJsonObject(args)) return MALFORMED;
    const answer = this.#perform(name, args);
    if (op === "call") return answer;
    this.#started.set(this.#count, answer);
    return { handle: this.#count };
  }

  get #signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  async #perform(name: string, args: JsonObject): Promise<JsonObject> {
    const perform = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    if (!perform) return { refused: `the host has no function ${JSON.stringify(name)}` };
    try {
      return { result: await perform(args, this.#signal) };
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }

  /** An answer is given once, and then is the guest's: asking again would cost the host, for nothing. */
  async #wait(handle: JsonValue | undefined): Promise<JsonObject> {
    const answer = typeof handle === "number" ? this.#started.get(handle) : undefined;
    if (typeof handle === "number") this.#started.delete(handle);
    return answer ?? { refused: "there is no such running call" };
  }

  async #sleep(seconds: JsonValue | undefined): Promise<JsonObject> {
    if (typeof seconds !== "number" || !(seconds >= 0)) return MALFORMED;
    const signal = this.#signal;
    await delay(Math.min(seconds, LONGEST_SLEEP_SECONDS) * 1000, undefined, { signal }).catch(() => {}); // ended: nobody waits
    return {};
  }
}

const MALFORMED: JsonObject = { refused: "the question is malformed" };
