/** Places for work that runs at the same time. Who waits for one gets it in order. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for a place. Returns the function that leaves it, to be called once. Rejects with the reason of the signal when that is aborted before. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return () => this.#leave();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(enter);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(enter);
    });
  }

  /** Hands the place over, so that nobody else takes it meanwhile. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
