import type { BidiSessionClientMessage } from "@frontdesk/protos/ces/session_service";
import { unreachable } from "#base";
import { invalidArgument } from "#status";
import type { Heard } from "./contract.ts";

/** Something beside the client that a conversation listens to. */
export interface HeardSource {
  /** Calls back whenever `take` may have something; answers what ends that. */
  subscribe(wake: () => void): () => void;
  take(): Heard | undefined;
}

type Read = IteratorResult<BidiSessionClientMessage>;

/**
 * Listens to a client and to what else may happen. The client is read one message at a time and only while somebody listens,
 * so a client that sends faster than turns are answered is held up by its transport.
 */
export class Ear {
  readonly #messages: AsyncIterator<BidiSessionClientMessage>;
  readonly #signal: AbortSignal;
  #reading: Promise<Read> | undefined;

  constructor(messages: AsyncIterable<BidiSessionClientMessage>, signal: AbortSignal) {
    this.#messages = messages[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** The next message; undefined when the client has half-closed, `late` when none came in time, `woken` by a source. */
  async message(
    withinMs: number,
    sources: readonly HeardSource[],
  ): Promise<BidiSessionClientMessage | undefined | "late" | "woken"> {
    const first = await this.#first(withinMs, sources);
    if (typeof first === "string") return first;
    return first.done ? undefined : first.value;
  }

  /** What happens next: a source that has something goes before the client. */
  async hear(idleMs: number, sources: readonly HeardSource[]): Promise<Heard> {
    for (;;) {
      for (const source of sources) {
        const heard = source.take();
        if (heard) return heard;
      }
      const first = await this.#first(idleMs, sources);
      if (first === "woken") continue;
      if (first === "late") return { kind: "idle" };
      if (first.done) return { kind: "half-closed" };
      const heard = heardIn(first.value);
      if (heard) return heard;
    }
  }

  /** Nothing is left behind by what did not happen: streams rest here for hours. */
  async #first(ms: number, sources: readonly HeardSource[]): Promise<Read | "late" | "woken"> {
    this.#signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Read | "late" | "woken">();
    const reading = this.#read();
    reading.then(resolve, reject);
    const gone = () => reject(this.#signal.reason);
    this.#signal.addEventListener("abort", gone, { once: true });
    const timer = setTimeout(resolve, ms, "late");
    const subscriptions = sources.map((source) => source.subscribe(() => resolve("woken")));
    try {
      const first = await promise;
      if (typeof first === "object" && !first.done) this.#reading = undefined;
      return first;
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", gone);
      for (const end of subscriptions) end();
    }
  }

  /** A message that was waited for in vain is waited for again the next time. */
  #read(): Promise<Read> {
    this.#reading ??= this.#messages.next();
    return this.#reading;
  }
}

function heardIn({ messageType }: BidiSessionClientMessage): Heard | undefined {
  switch (messageType.case) {
    case "realtimeInput":
      return { kind: "input", input: messageType.value };
    case "config":
      throw invalidArgument({
        field: "config",
        description: "the config was sent already; it is the first message only",
      });
    case undefined:
      // A kind of message that this server does not know yet: newer clients must be able to talk to it.
      return undefined;
    default:
      return unreachable(messageType);
  }
}
