import type { BidiSessionClientMessage } from "@frontdesk/protos/ces/session_service";
import { unreachable } from "#base";
import { invalidArgument } from "#status";
import type { StreamInput } from "./contract.ts";

/** A source of inputs beside the client. */
export interface InputSource {
  /** Calls `wake` whenever `take` may return something. Returns the unsubscribe function. */
  subscribe(wake: () => void): () => void;
  take(): StreamInput | undefined;
}

type Read = IteratorResult<BidiSessionClientMessage>;

/**
 * Reads a client's messages and other sources of inputs. It reads one message at a time and only while a caller waits,
 * so the transport applies back-pressure to a client that sends faster than turns are answered.
 */
export class StreamInputReader {
  readonly #messages: AsyncIterator<BidiSessionClientMessage>;
  readonly #signal: AbortSignal;
  #reading: Promise<Read> | undefined;

  constructor(messages: AsyncIterable<BidiSessionClientMessage>, signal: AbortSignal) {
    this.#messages = messages[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** The next message; undefined when the client has half-closed, `timeout` when none came in time, `woken` by a source. */
  async message(
    withinMs: number,
    sources: readonly InputSource[],
  ): Promise<BidiSessionClientMessage | undefined | "timeout" | "woken"> {
    const first = await this.#first(withinMs, sources);
    if (typeof first === "string") return first;
    return first.done ? undefined : first.value;
  }

  /** The next input: a source that has one takes precedence over the client. */
  async nextInput(idleMs: number, sources: readonly InputSource[]): Promise<StreamInput> {
    for (;;) {
      for (const source of sources) {
        const input = source.take();
        if (input) return input;
      }
      const first = await this.#first(idleMs, sources);
      if (first === "woken") continue;
      if (first === "timeout") return { kind: "idle" };
      if (first.done) return { kind: "half-closed" };
      const input = inputOf(first.value);
      if (input) return input;
    }
  }

  /** Resolves when the client half-closes or disconnects, `stop` has an input, or after `timeoutMs`. Ignores the client's messages. */
  async halfClosed(timeoutMs: number, stop: InputSource): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      // Checked here too: a client that never stops sending would always be ahead of a timer.
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || this.#signal.aborted || stop.take()) return;
      const first = await this.#first(leftMs, [stop]).catch(() => "timeout" as const);
      if (first === "timeout" || (typeof first === "object" && first.done)) return;
    }
  }

  /** Removes every listener and timer that did not fire: streams are idle here for hours. */
  async #first(ms: number, sources: readonly InputSource[]): Promise<Read | "timeout" | "woken"> {
    this.#signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Read | "timeout" | "woken">();
    const reading = this.#read();
    reading.then(resolve, reject);
    const gone = () => reject(this.#signal.reason);
    this.#signal.addEventListener("abort", gone, { once: true });
    const cancel = afterListening(ms, () => resolve("timeout"));
    const subscriptions = sources.map((source) => source.subscribe(() => resolve("woken")));
    try {
      const first = await promise;
      if (typeof first === "object" && !first.done) this.#reading = undefined;
      return first;
    } finally {
      cancel();
      this.#signal.removeEventListener("abort", gone);
      for (const end of subscriptions) end();
    }
  }

  /** A read that is still pending is awaited again by the next call. */
  #read(): Promise<Read> {
    this.#reading ??= this.#messages.next();
    return this.#reading;
  }
}

/** A timer may fire this much late, milliseconds, without anything having kept this process. */
const LATE_MS = 50;

/**
 * Calls `done` after so many milliseconds in which the client could be heard, and returns what takes that back. While something kept this process, the client's messages
 * waited to be read, and its silence says nothing (TURN-82).
 */
function afterListening(ms: number, done: () => void): () => void {
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    const late = performance.now() - due;
    if (late <= LATE_MS) return done();
    timer = setTimeout(done, Math.min(late, ms));
  }, ms);
  return () => clearTimeout(timer);
}

function inputOf({ messageType }: BidiSessionClientMessage): StreamInput | undefined {
  switch (messageType.case) {
    case "realtimeInput":
      return { kind: "input", input: messageType.value };
    case "config":
      throw invalidArgument({
        field: "config",
        description: "the config was sent already; it is the first message only",
      });
    case undefined:
      // Ignores kinds of messages that this server does not know, so that newer clients can connect.
      return undefined;
    default:
      return unreachable(messageType);
  }
}
