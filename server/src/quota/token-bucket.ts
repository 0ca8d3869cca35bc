/** Share of the capacity that sums of fractions may be off by. */
const ROUNDING = 1e-9;

/** An allowance that comes back evenly with time. Charges may take it below zero; then it is paid off first. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perMs: number;
  #amount: number;
  #updatedAt: number;

  /** A full bucket at `now`. `capacity` and what comes back in `everyMs` milliseconds are in units of what is measured. */
  constructor(capacity: number, perInterval: number, everyMs: number, now: number) {
    this.#capacity = capacity;
    this.#perMs = perInterval / everyMs;
    this.#amount = capacity;
    this.#updatedAt = now;
  }

  /** Milliseconds until `amount` can be taken; 0 when it can be taken now. */
  waitFor(amount: number, now: number): number {
    this.#refill(now);
    const missing = amount - this.#amount;
    return missing <= this.#capacity * ROUNDING ? 0 : Math.ceil(missing / this.#perMs);
  }

  /** How much is used up: zero in a full bucket, more than the capacity where charges are not paid off. */
  used(now: number): number {
    this.#refill(now);
    return this.#capacity - this.#amount;
  }

  /** What comes back in so many milliseconds. */
  back(elapsedMs: number): number {
    return elapsedMs * this.#perMs;
  }

  take(amount: number, now: number): void {
    this.#refill(now);
    this.#amount -= amount;
  }

  #refill(now: number): void {
    this.#amount = Math.min(this.#capacity, this.#amount + (now - this.#updatedAt) * this.#perMs);
    this.#updatedAt = now;
  }
}
