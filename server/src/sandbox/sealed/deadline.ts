import { Stop } from "./stops.ts";

/** The CPU time of one run. Time that the host needs to answer a question does not count. */
export class Deadline {
  #at = Number.POSITIVE_INFINITY;
  #limit = 0;

  start(limitMs: number): void {
    this.#limit = limitMs;
    this.#at = performance.now() + limitMs;
  }

  end(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** Called from the evaluation loop: ends the run when its time is up. Returns the present time, milliseconds. */
  check(): number {
    const now = performance.now();
    if (now > this.#at) throw new Stop("timeout", `the code used its ${this.#limit} ms of CPU time`);
    return now;
  }

  /** Runs `wait` with the clock stopped. */
  pauseWhile<T>(wait: () => T): T {
    const before = performance.now();
    const value = wait();
    this.#at += performance.now() - before;
    return value;
  }
}
