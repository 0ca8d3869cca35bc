import type { Message } from "@bufbuild/protobuf";
import type { TimedCall } from "./timed-call.ts";

/**
 * The messages of a call until it ends; the call begins with the first read. Not a generator, which takes several turns of the
 * microtask queue for each message.
 */
export class TimedStream implements AsyncIterableIterator<Message, undefined> {
  readonly #begin: () => TimedCall;
  readonly #open: (call: TimedCall) => AsyncIterable<Message>;
  #call: TimedCall | undefined;
  #messages: AsyncIterator<Message> | undefined;
  #done = false;

  constructor(begin: () => TimedCall, open: (call: TimedCall) => AsyncIterable<Message>) {
    this.#begin = begin;
    this.#open = open;
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    if (this.#done) return DONE;
    this.#call ??= this.#begin();
    try {
      this.#messages ??= this.#open(this.#call)[Symbol.asyncIterator]();
      const messages = this.#messages;
      const step = await this.#call.raceEnd(() => messages.next());
      if (!step.done) return step;
      this.#messages = undefined;
      this.#end();
      return DONE;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Message, undefined>> {
    if (!this.#done) this.#end();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    this.#done = true;
    this.#call?.close();
    if (this.#messages) this.#leave(this.#messages);
  }

  /** Not awaited: a handler that ignores its signal must not delay the response. */
  #leave(messages: AsyncIterator<Message>): void {
    this.#call?.abandon();
    messages.return?.().catch((error: unknown) => {
      this.#call?.context.logger.debug({ err: error }, "a stopped stream ended with an error");
    });
  }
}

const DONE: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });
