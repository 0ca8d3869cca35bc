import type { QueueOptions } from "./contract.ts";

/** Milliseconds until a job is due again that failed this often: as pg-boss computes it, between once and twice the pause, so that what failed together does not try together. */
export function pauseAfter(
  failures: number,
  { firstPauseMs, longestPauseMs }: Pick<QueueOptions, "firstPauseMs" | "longestPauseMs">,
  random = Math.random,
): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(16, failures - 1) * (1 + random()));
}
