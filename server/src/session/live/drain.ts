import { type ConnectError, unavailable } from "#status";

/** Tells conversations that the server is about to stop. */
export class Drain {
  readonly #waiting = new Set<() => void>();
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  begin(): void {
    this.#begun = true;
    for (const wake of this.#waiting) wake();
  }

  /** Calls back when it begins; answers what ends that. */
  subscribe(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }
}

/** Refuses a stream that has no conversation yet: there is nothing to end gently. */
export function serverStopping(): ConnectError {
  return unavailable("The server is stopping. Connect again.", { reason: "SERVER_STOPPING" });
}
