import type { ServerResponse } from "node:http";
import { drained, write } from "./send.ts";

/** Characters that leave at once: a source that never rests must not fill the memory. */
const FULL = 16 * 1024;

/**
 * Parts of an answer on their way out. What is put during one turn of the event loop leaves as one piece when that turn is
 * over, which is as soon as writing it at once would have sent it: pieces of a model's text often come many at a time.
 */
export class Outbox {
  readonly #response: ServerResponse;
  #waiting = "";

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Puts a part in. Answers a promise when the client reads slowly: until then, nothing more should be put. */
  put(part: string): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined;
    if (this.#waiting === "") process.nextTick(() => this.flush());
    this.#waiting += part;
    if (this.#waiting.length >= FULL) return write(this.#response, this.take());
    return this.#response.writableNeedDrain ? drained(this.#response) : undefined;
  }

  /** What has not left yet, which is now the caller's to send. */
  take(): string {
    const waiting = this.#waiting;
    this.#waiting = "";
    return waiting;
  }

  /** Sends what is there. */
  flush(): void {
    const waiting = this.take();
    if (waiting !== "" && !this.#response.destroyed && !this.#response.writableEnded) this.#response.write(waiting);
  }
}
