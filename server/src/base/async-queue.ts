/**
 * A queue whose one reader iterates it: `push` never waits, `end` and `fail` close it after what was pushed.
 * `onReturn` is called when the reader stops early.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #closed: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #onReturn: (() => void) | undefined;

  constructor(onReturn?: () => void) {
    this.#onReturn = onReturn;
  }

  /** Adds an item; ignored after the queue was closed. */
  push(item: T): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#signal();
  }

  /** No more items: the reader ends after the queued ones. */
  end(): void {
    this.#closed ??= {};
    this.#signal();
  }

  /** Like `end`, but the reader then throws `error`. */
  fail(error: unknown): void {
    this.#closed ??= { error };
    this.#signal();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const items = this.#items;
        this.#items = [];
        yield* items;
        if (this.#items.length > 0) continue;
        if (this.#closed) {
          if ("error" in this.#closed) throw this.#closed.error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#onReturn?.();
    }
  }

  #signal(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
