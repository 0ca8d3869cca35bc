import { Code, ConnectError, retryMsOf } from "#status";

/** The shortest pauses before the second, third and further calls, milliseconds: for a model that asks for none, or for short ones in vain. */
const LEAST_MS = [20, 1_000, 5_000, 10_000] as const;

/** What the calls of one model know together: whether it ever answered, and since when it does not. */
export class Outage {
  readonly #mostMs: number;
  #hasAnswered = false;
  /** Times of the first and the last call that was not answered, of those that follow each other. Undefined: it answers. */
  #times: { readonly first: number; readonly last: number } | undefined;

  /** `mostMs`: how long it is waited for, from the first call that was not answered. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.#times = undefined;
  }

  /**
   * How long to wait before a call is made again, milliseconds. `call`: how often it was made, from 1. Undefined when the call fails: its error does
   * not say that it passes, the model never answered and cannot be reached either (its address may be wrong), or it was away for too long.
   */
  pauseAfter(error: unknown, call: number, now: number): number | undefined {
    if (!(error instanceof ConnectError)) return undefined;
    const askedMs = retryMsOf(error);
    const passes = error.code === Code.ResourceExhausted || (error.code === Code.Unavailable && this.#hasAnswered);
    if (askedMs === undefined || !passes) return undefined;
    const first = this.#times && now - this.#times.last <= this.#mostMs ? this.#times.first : now;
    this.#times = { first, last: now };
    const pauseMs = Math.max(askedMs, LEAST_MS[Math.min(call, LEAST_MS.length) - 1] ?? 0);
    return now + pauseMs - first > this.#mostMs ? undefined : pauseMs;
  }
}
