import { setTimeout as delay } from "node:timers/promises";
import { EgressError, type EgressResponse } from "#base";
import type { OutboundRequest } from "./contract.ts";

/** Safe methods (RFC 9110, 9.2.1). DELETE is idempotent but excluded: a second one would answer 404. */
const RETRIED_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRIED_STATUSES = new Set([429, 502, 503, 504]);
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** Upper limit of a server's `Retry-After`. */
const MAX_PAUSE_MS = 5_000;

/**
 * Sends a request, with at most two retries after a network failure or a transient status, within the request's timeout. Unsafe
 * methods, refused requests and timeouts are not retried.
 */
export async function withRetries(
  { method, timeoutMs }: OutboundRequest,
  signal: AbortSignal,
  send: (timeoutMs: number) => Promise<EgressResponse>,
): Promise<EgressResponse> {
  const deadline = performance.now() + timeoutMs;
  const retried = RETRIED_METHODS.has(method.toUpperCase());
  for (let attempt = 1; ; attempt++) {
    const last = !retried || attempt === MAX_ATTEMPTS;
    const remainingMs = Math.max(1, deadline - performance.now());
    const outcome = await send(Math.ceil(remainingMs)).catch((error: unknown) => {
      if (last || !(error instanceof EgressError) || error.kind !== "failed") throw error;
      return error;
    });
    if (!(outcome instanceof EgressError) && (last || !RETRIED_STATUSES.has(outcome.status))) return outcome;
    const pause = pauseAfter(outcome, attempt);
    if (performance.now() + pause >= deadline) {
      if (outcome instanceof EgressError) throw outcome;
      return outcome;
    }
    await delay(pause, undefined, { signal });
  }
}

function pauseAfter(outcome: EgressResponse | EgressError, attempt: number): number {
  const retryAfterMs = outcome instanceof EgressError ? Number.NaN : 1_000 * Number(outcome.headers["retry-after"]);
  return Number.isFinite(retryAfterMs)
    ? Math.min(MAX_PAUSE_MS, Math.max(0, retryAfterMs))
    : FIRST_PAUSE_MS * 2 ** (attempt - 1);
}
