import type { ServerResponse } from "node:http";
import { drained, write } from "./send.ts";

/** Characters after which the batch is written at once: a source that yields without pause must not fill the memory. */
const MAX_BATCH = 16 * 1024;

/**
 * Writes parts of a response in batches: one write for all parts of a turn of the event loop, at the end of that turn. That is as
 * soon as single writes would have left, and parts of a model's text often come many at a time.
 */
export class BatchingWriter {
  readonly #response: ServerResponse;
  #batch = "";

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Adds a part. Returns a promise when the client reads slowly: the caller waits for it before the next part. */
  write(part: string): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined;
    if (this.#batch === "") process.nextTick(() => this.flush());
    this.#batch += part;
    if (this.#batch.length >= MAX_BATCH) return write(this.#response, this.take());
    return this.#response.writableNeedDrain ? drained(this.#response) : undefined;
  }

  /** Empties the batch and returns it, for the caller to send. */
  take(): string {
    const batch = this.#batch;
    this.#batch = "";
    return batch;
  }

  /** Writes the batch. */
  flush(): void {
    const batch = this.take();
    if (batch !== "" && !this.#response.destroyed && !this.#response.writableEnded) this.#response.write(batch);
  }
}
