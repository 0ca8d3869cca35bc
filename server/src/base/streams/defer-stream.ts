import { DONE, Stream } from "./stream.ts";

/** A stream that takes time to open. The first read opens it; a reader that leaves first gets nothing of it. */
export function deferStream<T>(open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T, void> {
  return new DeferredStream(open);
}

class DeferredStream<T> extends Stream<T> {
  readonly #open: () => Promise<AsyncIterable<T>>;
  #opening: Promise<AsyncIterator<T>> | undefined;
  #inner: AsyncIterator<T> | undefined;
  #done = false;

  constructor(open: () => Promise<AsyncIterable<T>>) {
    super();
    this.#open = open;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#done) return Promise.resolve(DONE);
    return this.#inner ? this.#inner.next() : this.#nextOnceOpen();
  }

  /** Does not wait for a stream that is still being opened: that one is closed as soon as it is open. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#done = true;
    await this.#inner?.return?.();
    return DONE;
  }

  async #nextOnceOpen(): Promise<IteratorResult<T, undefined>> {
    this.#opening ??= this.#openInner();
    const inner = await this.#opening;
    return this.#done ? DONE : inner.next();
  }

  async #openInner(): Promise<AsyncIterator<T>> {
    try {
      const inner = (await this.#open())[Symbol.asyncIterator]();
      if (this.#done) await inner.return?.();
      this.#inner = inner;
      return inner;
    } catch (error) {
      this.#done = true;
      throw error;
    }
  }
}
