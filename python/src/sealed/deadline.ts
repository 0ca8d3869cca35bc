import { Stop } from "./stops.ts";

/** Polls that follow each other faster than this, milliseconds, need not all look at the clock; and how many may pass by. */
const FAST_POLLS_MS = 0.1;
const MOST_PASSED_BY = 7;

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
  #polledAt = 0;
  #passingBy = 0;
  #toPassBy = 0;

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

  /**
   * Called from the evaluation loop, every few microseconds when it does little things: looking at the clock would be the
   * dearer part then, so some calls pass by. As soon as a call took long, none does.
   */
  poll(): void {
    if (this.#toPassBy > 0) {
      this.#toPassBy--;
      return;
    }
    const now = this.check();
    const isFast = now - this.#polledAt < FAST_POLLS_MS;
    this.#passingBy = isFast ? Math.min(2 * this.#passingBy + 1, MOST_PASSED_BY) : 0;
    this.#toPassBy = this.#passingBy;
    this.#polledAt = now;
  }

  /** Ends the run when its time is up. Returns the present time, milliseconds. */
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
