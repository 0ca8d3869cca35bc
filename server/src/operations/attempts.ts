import { Code, toStatusError } from "#status";

/** How often work is tried, and the pauses between its attempts in milliseconds, as a queue of jobs makes them. */
export interface Attempts {
  readonly most: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Five attempts within a minute and a half. */
export const ATTEMPTS: Attempts = { most: 5, firstPauseMs: 3_000, longestPauseMs: 60_000 };

/** Errors that may pass, or whose reason nobody knows. Any other would be the same again. */
const PASSING = new Set([
  ...[Code.Unavailable, Code.ResourceExhausted, Code.Aborted, Code.DeadlineExceeded, Code.Internal, Code.Unknown],
]);

/** Whether work that failed with this error may succeed when it is begun again. */
export function mayPass(error: unknown): boolean {
  return PASSING.has(toStatusError(error).code);
}
