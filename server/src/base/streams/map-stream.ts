import { DONE, Stream } from "./stream.ts";

/** Each item changed; closes the stream when the change throws. */
export function mapStream<T, U>(stream: AsyncIterable<T>, change: (item: T) => U): AsyncGenerator<U, void> {
  return new MappedStream(stream[Symbol.asyncIterator](), change);
}

/**
 * Each item changed into any number of others, none included. The items that one change gave are read without another read of
 * the inner stream, so that parts which arrived together cost no more turns of the microtask queue than one part.
 */
export function flatMapStream<T, U>(
  stream: AsyncIterable<T>,
  change: (item: T) => readonly U[],
): AsyncGenerator<U, void> {
  return new FlatMappedStream(stream[Symbol.asyncIterator](), change);
}

class MappedStream<T, U> extends Stream<U> {
  readonly #inner: AsyncIterator<T>;
  readonly #change: (item: T) => U;
  #done = false;

  constructor(inner: AsyncIterator<T>, change: (item: T) => U) {
    super();
    this.#inner = inner;
    this.#change = change;
  }

  next(): Promise<IteratorResult<U, undefined>> {
    return this.#done ? Promise.resolve(DONE) : this.#inner.next().then(this.#onResult);
  }

  async return(): Promise<IteratorResult<U, undefined>> {
    if (!this.#done) {
      this.#done = true;
      await this.#inner.return?.();
    }
    return DONE;
  }

  readonly #onResult = (
    result: IteratorResult<T>,
  ): IteratorResult<U, undefined> | Promise<IteratorResult<U, undefined>> => {
    if (result.done) {
      this.#done = true;
      return DONE;
    }
    try {
      return { done: false, value: this.#change(result.value) };
    } catch (error) {
      return this.#close(error);
    }
  };

  /** The reader gets the error once the stream is closed. */
  async #close(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }
}

class FlatMappedStream<T, U> extends Stream<U> {
  readonly #inner: AsyncIterator<T>;
  readonly #change: (item: T) => readonly U[];
  #ready: readonly U[] = [];
  #position = 0;
  #done = false;

  constructor(inner: AsyncIterator<T>, change: (item: T) => readonly U[]) {
    super();
    this.#inner = inner;
    this.#change = change;
  }

  next(): Promise<IteratorResult<U, undefined>> {
    if (this.#position < this.#ready.length) return Promise.resolve(this.#take());
    return this.#done ? Promise.resolve(DONE) : this.#inner.next().then(this.#onResult);
  }

  async return(): Promise<IteratorResult<U, undefined>> {
    this.#ready = [];
    if (!this.#done) {
      this.#done = true;
      await this.#inner.return?.();
    }
    return DONE;
  }

  #take(): IteratorResult<U, undefined> {
    // Only called while there is one.
    return { done: false, value: this.#ready[this.#position++] as U };
  }

  readonly #onResult = (
    result: IteratorResult<T>,
  ): IteratorResult<U, undefined> | Promise<IteratorResult<U, undefined>> => {
    if (result.done) {
      this.#done = true;
      return DONE;
    }
    if (this.#done) return DONE;
    try {
      this.#ready = this.#change(result.value);
      this.#position = 0;
    } catch (error) {
      return this.#close(error);
    }
    return this.#ready.length > 0 ? this.#take() : this.next();
  };

  /** The reader gets the error once the stream is closed. */
  async #close(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }
}
