import { Stop } from "./stops.ts";

/** Two clocks, milliseconds: the time that passes, and the processor time that this process used. */
export interface Clocks {
  readonly now: () => number;
  readonly cpu: () => number;
}

/**
 * The CPU time of one run. Time that the host needs to answer a question does not count, nor time in which the machine let
 * others compute: the processor's clock is asked once the limit has passed by the other, which costs less to look at.
 */
export class Deadline {
  readonly #clocks: Clocks;
  #at = Number.POSITIVE_INFINITY;
  #limit = 0;
  #cpuAtStart = 0;
  #cpuAtRest: number | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** Notes the processor's clock before a rest, which uses none: what starts then need not ask it. */
  rest(): void {
    this.#cpuAtRest = this.#clocks.cpu();
  }

  start(limitMs: number): void {
    this.#limit = limitMs;
    this.#cpuAtStart = this.#cpuAtRest ?? this.#clocks.cpu();
    this.#cpuAtRest = undefined;
    this.#at = this.#clocks.now() + limitMs;
  }

  end(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** Called from the evaluation loop: ends the run when its time is up. Returns the present time, milliseconds. */
  check(): number {
    const now = this.#clocks.now();
    if (now > this.#at) this.#expire(now);
    return now;
  }

  /** Runs `wait` with the clock stopped. */
  pauseWhile<T>(wait: () => T): T {
    const before = this.#clocks.now();
    const value = wait();
    this.#at += this.#clocks.now() - before;
    return value;
  }

  #expire(now: number): void {
    const left = this.#limit - (this.#clocks.cpu() - this.#cpuAtStart);
    if (left <= 0) throw new Stop("timeout", `the code used its ${this.#limit} ms of CPU time`);
    this.#at = now + left;
  }
}
