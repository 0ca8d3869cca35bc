import { LONGEST_TIMER_MS } from "#base";

/** Waits for a promise that never rejects, at most this many milliseconds. Leaves no timer behind. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER_MS));
  await Promise.race([promise, elapsed]);
  clearTimeout(timer);
}
