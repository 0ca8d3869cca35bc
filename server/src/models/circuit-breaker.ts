/** When a model that does not answer is left alone. */
export interface BreakerPolicy {
  /** Calls in a row that found the model down, until it is left alone. Default 5. */
  readonly failures: number;
  /** Milliseconds for which it is left alone; then one call tries it. Default 10,000. */
  readonly openMs: number;
  /** Milliseconds without the first part of an answer after which a call has found the model down, though it may still answer. Default 120,000. */
  readonly silentMs: number;
}

/** Five calls, each tried three times, are no accident, nor are five that wait for minutes, as calls of reasoning models may; ten seconds are how long a user waits at most for a model that has come back. */
export const DEFAULT_BREAKER: BreakerPolicy = { failures: 5, openMs: 10_000, silentMs: 120_000 };

/** Whether a model is called (TURN-64). A call of a model that is down costs its user all retries and waits, and the model more load. */
export class CircuitBreaker {
  readonly #policy: BreakerPolicy;
  #failures = 0;
  #openUntil = 0;

  constructor(policy: BreakerPolicy) {
    this.#policy = policy;
  }

  /** Milliseconds until the model may be called; 0 when this call may. Of those that come when the time is over, the first may. */
  enter(now: number): number {
    if (this.#failures < this.#policy.failures) return 0;
    if (now < this.#openUntil) return this.#openUntil - now;
    this.#openUntil = now + this.#policy.openMs;
    return 0;
  }

  /** Whether calls are refused. */
  isOpen(now: number): boolean {
    return this.#failures >= this.#policy.failures && now < this.#openUntil;
  }

  /** The model answered, be it a refusal. */
  succeeded(): void {
    this.#failures = 0;
  }

  failed(now: number): void {
    this.#failures += 1;
    this.#openUntil = now + this.#policy.openMs;
  }
}
