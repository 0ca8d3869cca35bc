/** How the reading of a stream ended: with its end, with an error, or because its reader left. */
export type StreamEnd =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "abandoned" };

/** What to do while somebody reads a stream. */
export interface StreamWatcher<T> {
  /** Sees each item before the reader does. */
  readonly each?: (item: T) => void;
  /** Called once, if reading began. What it throws takes the place of a failure. */
  readonly ended: (end: StreamEnd) => void;
}

/**
 * The stream itself, watched: the same as an async generator around it that only looks on, for a fraction of the price. A
 * generator costs several turns of the microtask queue an item, and a streamed answer passes through a dozen of them.
 */
export function watchStream<T>(
  open: () => AsyncIterable<T>,
  { each, ended }: StreamWatcher<T>,
): AsyncGenerator<T, void> {
  return new WatchedStream(open, each, ended);
}

/** A stream that can only be opened later; reading it opens it. */
export function laterStream<T>(open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T, void> {
  return new LaterStream(open);
}

/** Each item changed; closes the stream when the change throws. */
export function mapStream<T, U>(stream: AsyncIterable<T>, change: (item: T) => U): AsyncGenerator<U, void> {
  return new MappedStream(stream[Symbol.asyncIterator](), change);
}

/**
 * Each item changed into any number of others, none included. What one item gave is handed out without asking the stream again,
 * so that pieces which came together cost no more turns of the microtask queue than one.
 */
export function flatMapStream<T, U>(
  stream: AsyncIterable<T>,
  change: (item: T) => readonly U[],
): AsyncGenerator<U, void> {
  return new FlatMappedStream(stream[Symbol.asyncIterator](), change);
}

const OVER: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });

/** What makes an iterator a generator. Nobody hands errors in: `throw` closes the stream. */
abstract class Stream<T> implements AsyncGenerator<T, void> {
  abstract next(): Promise<IteratorResult<T, undefined>>;
  abstract return(): Promise<IteratorResult<T, undefined>>;

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

class WatchedStream<T> extends Stream<T> {
  readonly #open: () => AsyncIterable<T>;
  readonly #each: ((item: T) => void) | undefined;
  readonly #ended: (end: StreamEnd) => void;
  #inner: AsyncIterator<T> | undefined;
  #over = false;

  constructor(open: () => AsyncIterable<T>, each: ((item: T) => void) | undefined, ended: (end: StreamEnd) => void) {
    super();
    this.#open = open;
    this.#each = each;
    this.#ended = ended;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#over) return Promise.resolve(OVER);
    try {
      this.#inner ??= this.#open()[Symbol.asyncIterator]();
      return this.#inner.next().then(this.#onStep, this.#onError);
    } catch (error) {
      return new Promise((resolve) => resolve(this.#onError(error)));
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    if (this.#over || !this.#inner) {
      this.#over = true;
      return OVER;
    }
    this.#over = true;
    try {
      await this.#inner.return?.();
    } finally {
      this.#ended({ kind: "abandoned" });
    }
    return OVER;
  }

  readonly #onStep = (step: IteratorResult<T>): IteratorResult<T, undefined> => {
    if (!step.done) {
      this.#each?.(step.value);
      return step;
    }
    if (!this.#over) {
      this.#over = true;
      this.#ended({ kind: "done" });
    }
    return OVER;
  };

  readonly #onError = (error: unknown): never => {
    if (!this.#over) {
      this.#over = true;
      this.#ended({ kind: "failed", error });
    }
    throw error;
  };
}

class LaterStream<T> extends Stream<T> {
  readonly #open: () => Promise<AsyncIterable<T>>;
  #inner: AsyncIterator<T> | undefined;
  #over = false;

  constructor(open: () => Promise<AsyncIterable<T>>) {
    super();
    this.#open = open;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#over) return Promise.resolve(OVER);
    return this.#inner ? this.#inner.next() : this.#first();
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#over = true;
    await this.#inner?.return?.();
    return OVER;
  }

  async #first(): Promise<IteratorResult<T, undefined>> {
    try {
      this.#inner = (await this.#open())[Symbol.asyncIterator]();
    } catch (error) {
      this.#over = true;
      throw error;
    }
    return this.#inner.next();
  }
}

class MappedStream<T, U> extends Stream<U> {
  readonly #inner: AsyncIterator<T>;
  readonly #change: (item: T) => U;
  #over = false;

  constructor(inner: AsyncIterator<T>, change: (item: T) => U) {
    super();
    this.#inner = inner;
    this.#change = change;
  }

  next(): Promise<IteratorResult<U, undefined>> {
    return this.#over ? Promise.resolve(OVER) : this.#inner.next().then(this.#onStep);
  }

  async return(): Promise<IteratorResult<U, undefined>> {
    if (!this.#over) {
      this.#over = true;
      await this.#inner.return?.();
    }
    return OVER;
  }

  readonly #onStep = (
    step: IteratorResult<T>,
  ): IteratorResult<U, undefined> | Promise<IteratorResult<U, undefined>> => {
    if (step.done) {
      this.#over = true;
      return OVER;
    }
    try {
      return { done: false, value: this.#change(step.value) };
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
  #at = 0;
  #over = false;

  constructor(inner: AsyncIterator<T>, change: (item: T) => readonly U[]) {
    super();
    this.#inner = inner;
    this.#change = change;
  }

  next(): Promise<IteratorResult<U, undefined>> {
    if (this.#at < this.#ready.length) return Promise.resolve(this.#take());
    return this.#over ? Promise.resolve(OVER) : this.#inner.next().then(this.#onStep);
  }

  async return(): Promise<IteratorResult<U, undefined>> {
    this.#ready = [];
    if (!this.#over) {
      this.#over = true;
      await this.#inner.return?.();
    }
    return OVER;
  }

  #take(): IteratorResult<U, undefined> {
    // Only called while there is one.
    return { done: false, value: this.#ready[this.#at++] as U };
  }

  readonly #onStep = (
    step: IteratorResult<T>,
  ): IteratorResult<U, undefined> | Promise<IteratorResult<U, undefined>> => {
    if (step.done) {
      this.#over = true;
      return OVER;
    }
    if (this.#over) return OVER;
    try {
      this.#ready = this.#change(step.value);
      this.#at = 0;
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
