/** Bytes that may be queued before the source is paused. */
const HIGH_WATER_MARK = 1024 * 1024;

/** Bytes that each message adds to its size, so that at most 64 small ones are queued. */
const MESSAGE_OVERHEAD = 16 * 1024;

/** The source of the messages. */
interface PausableSource {
  pause(): void;
  resume(): void;
}

/**
 * The messages of a client, for one reader. The source is paused while too much is queued. An iterator and not a generator, because
 * ten thousand idle connections hold one each.
 */
export class BackpressureQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: PausableSource;
  readonly #items: { readonly item: T; readonly cost: number }[] = [];
  #queuedBytes = 0;
  #paused = false;
  #closed: { readonly error?: unknown } | undefined;
  #reader: PromiseWithResolvers<IteratorResult<T, undefined>> | undefined;

  constructor(source: PausableSource) {
    this.#source = source;
  }

  /** `size` is in bytes. Ignored after the end. */
  push(item: T, size: number): void {
    if (this.#closed) return;
    const reader = this.#takeReader();
    if (reader) reader.resolve({ done: false, value: item });
    else this.#enqueue(item, size + MESSAGE_OVERHEAD);
  }

  /** No more messages; the queued ones are still read. */
  end(): void {
    this.#closed ??= {};
    this.#takeReader()?.resolve(END);
  }

  /** The reader gets the queued messages, then the error. */
  fail(error: unknown): void {
    this.#closed ??= { error };
    this.#takeReader()?.reject(error);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const first = this.#items.shift();
    if (first) {
      this.#release(first.cost);
      return Promise.resolve({ done: false, value: first.item });
    }
    if (this.#closed) return "error" in this.#closed ? Promise.reject(this.#closed.error) : Promise.resolve(END);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #enqueue(item: T, cost: number): void {
    this.#items.push({ item, cost });
    this.#queuedBytes += cost;
    if (this.#paused || this.#queuedBytes <= HIGH_WATER_MARK) return;
    this.#paused = true;
    this.#source.pause();
  }

  #release(cost: number): void {
    this.#queuedBytes -= cost;
    if (!this.#paused || this.#queuedBytes > HIGH_WATER_MARK / 2) return;
    this.#paused = false;
    this.#source.resume();
  }

  #takeReader(): PromiseWithResolvers<IteratorResult<T, undefined>> | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }
}

const END = { done: true, value: undefined } as const;
