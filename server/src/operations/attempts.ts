import { setTimeout as delay } from "node:timers/promises";
import { Code, toStatusError } from "#status";

/** How often work is tried, and the pause after its first failure in milliseconds; each further pause is three times as long. */
export interface Attempts {
  readonly most: number;
  readonly firstPauseMs: number;
}

/** Five attempts within about eighty seconds. */
export const ATTEMPTS: Attempts = { most: 5, firstPauseMs: 2_000 };

/** Errors that may pass, or whose reason nobody knows. Any other would be the same again. */
const PASSING = new Set([
  ...[Code.Unavailable, Code.ResourceExhausted, Code.Aborted, Code.DeadlineExceeded, Code.Internal, Code.Unknown],
]);

/** Whether work that failed with this error may succeed when it is begun again. */
export function mayPass(error: unknown): boolean {
  return PASSING.has(toStatusError(error).code);
}

/** Milliseconds after which the next attempt begins. Up to a fifth is added, so that what failed together does not try together. */
export function pauseAfter(failures: number, { firstPauseMs }: Attempts, random = Math.random): number {
  return firstPauseMs * 3 ** (failures - 1) * (1 + random() / 5);
}

/** Waits. False when one of the signals was aborted. */
export async function waited(milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  const signal = AbortSignal.any([...signals]);
  await delay(Math.max(0, milliseconds), undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}
