interface BatchesOptions<Item, Outcome> {
  /** Runs the items together; `waitedMs`: for how long the first of them waited. One outcome for each, in their order. Rejects when none of them has one. */
  readonly run: (items: readonly Item[], waitedMs: number) => Promise<readonly Outcome[]>;
  /** Items with the same key never run at the same time, and in the order of their arrival. Undefined: it has none. Default: none has one. */
  readonly keyOf?: (item: Item) => string | undefined;
  /** Batches that run at the same time, at most. */
  readonly parallel: number;
  /** Items of one batch, at most. */
  readonly size: number;
  /** Items that wait, at most, and the error for one more. Default: as many as come. */
  readonly limit?: { readonly waiting: number; readonly refusal: () => Error };
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Items that share round trips: those of one tick, and those that arrived while earlier batches ran. */
export class Batches<Item, Outcome> {
  readonly #options: BatchesOptions<Item, Outcome>;
  readonly #busy = new Set<string>();
  #waiting: Waiting<Item, Outcome>[] = [];
  #running = 0;
  #scheduled = false;

  constructor(options: BatchesOptions<Item, Outcome>) {
    this.#options = options;
  }

  /** The outcome of the item, once its batch has run. */
  add(item: Item): Promise<Outcome> {
    const { limit } = this.#options;
    if (limit && this.#waiting.length >= limit.waiting) return Promise.reject(limit.refusal());
    this.#schedule();
    const since = performance.now();
    return new Promise((resolve, reject) => this.#waiting.push({ item, since, resolve, reject }));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#running < this.#options.parallel) {
      const batch = this.#take();
      if (batch.length === 0) return;
      void this.#run(batch);
    }
  }

  #take(): readonly Waiting<Item, Outcome>[] {
    const { keyOf = () => undefined, size } = this.#options;
    const taken: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    for (const one of this.#waiting) {
      const key = keyOf(one.item);
      if (taken.length >= size || (key !== undefined && this.#busy.has(key))) left.push(one);
      else {
        if (key !== undefined) this.#busy.add(key);
        taken.push(one);
      }
    }
    this.#waiting = left;
    return taken;
  }

  async #run(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const { run, keyOf } = this.#options;
    this.#running += 1;
    try {
      const waitedMs = performance.now() - Math.min(...batch.map(({ since }) => since));
      const outcomes = await run(
        batch.map(({ item }) => item),
        waitedMs,
      );
      // `run` promises one outcome for each item.
      for (const [at, { resolve }] of batch.entries()) resolve(outcomes[at] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      for (const { item } of batch) {
        const key = keyOf?.(item);
        if (key !== undefined) this.#busy.delete(key);
      }
      this.#start();
    }
  }
}
