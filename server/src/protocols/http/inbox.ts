/** What may wait to be read, bytes, before the source is held back. */
const MAX_WAITING = 1024 * 1024;

/** What a waiting message costs at least, bytes: 64 small ones fill the inbox. */
const MESSAGE_COST = 16 * 1024;

/** Where messages come from; it can be asked to stop for a while. */
export interface InboxSource {
  pause(): void;
  resume(): void;
}

/**
 * The messages of a client, for one reader. While too much waits, the source is held back. Written as an iterator, not as a
 * generator: ten thousand of them rest here.
 */
export class Inbox<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: InboxSource;
  readonly #items: { readonly item: T; readonly cost: number }[] = [];
  #waiting = 0;
  #held = false;
  #closed: { readonly error?: unknown } | undefined;
  #reader: PromiseWithResolvers<IteratorResult<T, undefined>> | undefined;

  constructor(source: InboxSource) {
    this.#source = source;
  }

  /** `size` is in bytes. Ignored after the end. */
  push(item: T, size: number): void {
    if (this.#closed) return;
    const reader = this.#takeReader();
    if (reader) reader.resolve({ done: false, value: item });
    else this.#keep(item, size + MESSAGE_COST);
  }

  /** No more will come; what waits is still read. */
  end(): void {
    this.#closed ??= {};
    this.#takeReader()?.resolve(END);
  }

  /** What came cannot be read on: the reader gets what waits, then the error. */
  fail(error: unknown): void {
    this.#closed ??= { error };
    this.#takeReader()?.reject(error);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const first = this.#items.shift();
    if (first) {
      this.#taken(first.cost);
      return Promise.resolve({ done: false, value: first.item });
    }
    if (this.#closed) return "error" in this.#closed ? Promise.reject(this.#closed.error) : Promise.resolve(END);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #keep(item: T, cost: number): void {
    this.#items.push({ item, cost });
    this.#waiting += cost;
    if (this.#held || this.#waiting <= MAX_WAITING) return;
    this.#held = true;
    this.#source.pause();
  }

  #taken(cost: number): void {
    this.#waiting -= cost;
    if (!this.#held || this.#waiting > MAX_WAITING / 2) return;
    this.#held = false;
    this.#source.resume();
  }

  #takeReader(): PromiseWithResolvers<IteratorResult<T, undefined>> | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }
}

const END = { done: true, value: undefined } as const;
