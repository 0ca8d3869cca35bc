import type { Message } from "@bufbuild/protobuf";
import type { TimedCall } from "./timed-call.ts";

/**
 * The messages of a call until it is over; the call begins when the first is asked for. Not a generator, which costs several
 * turns of the microtask queue a message.
 */
export class TimedStream implements AsyncIterableIterator<Message, undefined> {
  readonly #begin: () => TimedCall;
  readonly #open: (call: TimedCall) => AsyncIterable<Message>;
  #call: TimedCall | undefined;
  #messages: AsyncIterator<Message> | undefined;
  #over = false;

  constructor(begin: () => TimedCall, open: (call: TimedCall) => AsyncIterable<Message>) {
    this.#begin = begin;
    this.#open = open;
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    if (this.#over) return OVER;
    this.#call ??= this.#begin();
    try {
      this.#messages ??= this.#open(this.#call)[Symbol.asyncIterator]();
      const messages = this.#messages;
      const step = await this.#call.untilOver(() => messages.next());
      if (!step.done) return step;
      this.#messages = undefined;
      this.#end();
      return OVER;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Message, undefined>> {
    if (!this.#over) this.#end();
    return OVER;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    this.#over = true;
    this.#call?.close();
    if (this.#messages) this.#leave(this.#messages);
  }

  /** Not waited for: a handler that ignores its signal must not hold the answer back. */
  #leave(messages: AsyncIterator<Message>): void {
    this.#call?.abandon();
    messages.return?.().catch((error: unknown) => {
      this.#call?.context.logger.debug({ err: error }, "a stopped stream ended with an error");
    });
  }
}

const OVER: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });
