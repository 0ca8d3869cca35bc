import { quotaExceeded } from "#status";

/** When to try again after the line was full, milliseconds. */
const RETRY_MS = 1_000;

interface Waiting {
  readonly start: () => void;
  readonly leave: (reason: unknown) => void;
}

/** What is admitted, in refusals, and how much of it may wait. */
interface Admitted {
  /** E.g. `turns`. */
  readonly what: string;
  readonly quota: string;
  /** How much of one caller waits; default as much as may run. */
  readonly waiting?: number;
}

/**
 * Lets a number of turns or statements run at the same time. Others wait, in one line for each caller, and the lines take turns. One caller gets at most
 * three quarters of the places, and its line has an end, so nobody can keep another one out.
 */
export class FairAdmission {
  readonly #places: number;
  readonly #placesOfOne: number;
  readonly #admitted: Required<Admitted>;
  readonly #running = new Map<string, number>();
  /** The order of the keys is the order in which callers are served. */
  readonly #lines = new Map<string, Set<Waiting>>();
  #total = 0;

  constructor(places: number, admitted: Admitted = { what: "turns", quota: "turns-at-once" }) {
    this.#places = places;
    this.#admitted = { waiting: places, ...admitted };
    this.#placesOfOne = Math.max(1, Math.ceil((places * 3) / 4));
  }

  /** Resolves with the function that gives the place back. Rejects with RESOURCE_EXHAUSTED at once when the caller's line is full. */
  enter(key: string, signal: AbortSignal): Promise<() => void> | (() => void) {
    if (!this.#lines.has(key) && this.#mayStart(key)) return this.#start(key);
    return this.#wait(key, signal);
  }

  async #wait(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const line = this.#lines.get(key) ?? new Set<Waiting>();
    const { what, quota, waiting: most } = this.#admitted;
    if (line.size >= most)
      throw quotaExceeded(`The server is busy: ${line.size} ${what} of ${key} wait already.`, {
        quota,
        subject: key,
        retryMs: RETRY_MS,
      });
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting = { start: () => resolve(this.#start(key)), leave: reject };
    const abort = () => {
      this.#remove(key, waiting);
      waiting.leave(signal.reason);
    };
    line.add(waiting);
    this.#lines.set(key, line);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #mayStart(key: string): boolean {
    return this.#total < this.#places && (this.#running.get(key) ?? 0) < this.#placesOfOne;
  }

  #start(key: string): () => void {
    this.#total += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#end(key);
    };
  }

  #end(key: string): void {
    this.#total -= 1;
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
    this.#startNext();
  }

  #startNext(): void {
    for (const [key, line] of this.#lines) {
      if (!this.#mayStart(key)) continue;
      const [next] = line;
      if (!next) continue;
      this.#remove(key, next);
      // The caller goes to the end of the order.
      if (this.#lines.delete(key)) this.#lines.set(key, line);
      next.start();
      return;
    }
  }

  #remove(key: string, waiting: Waiting): void {
    const line = this.#lines.get(key);
    line?.delete(waiting);
    if (line?.size === 0) this.#lines.delete(key);
  }
}
