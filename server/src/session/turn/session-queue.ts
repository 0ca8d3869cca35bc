/** Lets the turns of one session run one after the other, in the order of their arrival (TURN-4). */
export class SessionQueue {
  readonly #tails = new Map<string, Promise<void>>();
  #idle: (() => void)[] = [];

  /**
   * Waits for the turns before this one and returns the function that ends this one. Rejects with the signal's reason when it fires while
   * waiting; the turns behind it are not delayed by that.
   */
  async enter(session: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const before = this.#tails.get(session);
    const { promise, resolve } = Promise.withResolvers<void>();
    const tail = before ? before.then(() => promise) : promise;
    this.#tails.set(session, tail);
    const leave = () => this.#leave(session, tail, resolve);
    if (before) {
      try {
        await orAbort(before, signal);
      } catch (error) {
        leave();
        throw error;
      }
    }
    return leave;
  }

  /** Resolves when no session has a turn. */
  async drained(): Promise<void> {
    if (this.#tails.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #leave(session: string, tail: Promise<void>, resolve: () => void): void {
    resolve();
    if (this.#tails.get(session) !== tail) return;
    // A turn that gave up while waiting leaves its predecessor's turn running under this tail.
    void tail.then(() => {
      if (this.#tails.get(session) === tail) this.#tails.delete(session);
      if (this.#tails.size > 0) return;
      const idle = this.#idle;
      this.#idle = [];
      for (const wake of idle) wake();
    });
  }
}

async function orAbort(before: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([before, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
