import { type ConnectError, unavailable } from "#status";

/** Signals to conversations that the server is about to stop. */
export class DrainSignal {
  readonly #waiting = new Set<() => void>();
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  begin(): void {
    this.#begun = true;
    for (const wake of this.#waiting) wake();
  }

  /** Calls `wake` when draining begins. Returns the unsubscribe function. */
  subscribe(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }
}

/** Rejects a stream that has no conversation yet. */
export function serverStopping(): ConnectError {
  return unavailable("The server is stopping. Connect again.", { reason: "SERVER_STOPPING" });
}
