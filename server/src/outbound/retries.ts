import { setTimeout as delay } from "node:timers/promises";
import { EgressError, type EgressResponse } from "#base";
import type { OutboundRequest } from "./contract.ts";

/** Methods that only read (RFC 9110, 9.2.1): a second DELETE would answer that there is nothing to delete. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);
const PASSING = new Set([429, 502, 503, 504]);
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** Longest pause that a server may ask for with `Retry-After`. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * Sends until an answer is no passing trouble, three times at most and within the request's time. What cannot be repeated, was
 * refused or took too long is sent once.
 */
export async function withRetries(
  { method, timeoutMs }: OutboundRequest,
  signal: AbortSignal,
  send: (timeoutMs: number) => Promise<EgressResponse>,
): Promise<EgressResponse> {
  const deadline = performance.now() + timeoutMs;
  const repeatable = REPEATABLE.has(method.toUpperCase());
  for (let attempt = 1; ; attempt++) {
    const last = !repeatable || attempt === MAX_ATTEMPTS;
    const left = Math.max(1, deadline - performance.now());
    const outcome = await send(Math.ceil(left)).catch((error: unknown) => {
      if (last || !(error instanceof EgressError) || error.kind !== "failed") throw error;
      return error;
    });
    if (!(outcome instanceof EgressError) && (last || !PASSING.has(outcome.status))) return outcome;
    const pause = pauseAfter(outcome, attempt);
    if (performance.now() + pause >= deadline) {
      if (outcome instanceof EgressError) throw outcome;
      return outcome;
    }
    await delay(pause, undefined, { signal });
  }
}

function pauseAfter(outcome: EgressResponse | EgressError, attempt: number): number {
  const asked = outcome instanceof EgressError ? Number.NaN : 1_000 * Number(outcome.headers["retry-after"]);
  return Number.isFinite(asked) ? Math.min(LONGEST_PAUSE_MS, Math.max(0, asked)) : FIRST_PAUSE_MS * 2 ** (attempt - 1);
}
