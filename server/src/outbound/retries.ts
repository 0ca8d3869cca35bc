import { setTimeout as delay } from "node:timers/promises";
import { EgressError, type EgressResponse } from "#base";
import type { OutboundRequest } from "./contract.ts";

/** Safe methods (RFC 9110, 9.2.1). DELETE is idempotent but excluded: a second one would answer 404. */
const RETRIED_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRIED_STATUSES = new Set([429, 502, 503, 504]);
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** A server that asks for a longer pause (`Retry-After`) is not asked again: whoever waits for the answer would not wait that long. */
const MAX_PAUSE_MS = 5_000;

/**
 * Sends a request, with at most two retries after a network failure or a transient status, within the request's timeout and not before the
 * server wants to be asked again. Unsafe methods, refused requests and timeouts are not retried.
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
    if (pause > MAX_PAUSE_MS || performance.now() + pause >= deadline) {
      if (outcome instanceof EgressError) throw outcome;
      return outcome;
    }
    await delay(pause, undefined, { signal });
  }
}

/** Milliseconds: what the server asks for in seconds or as a date (RFC 9110, 10.2.3), else a little longer each time. */
function pauseAfter(outcome: EgressResponse | EgressError, attempt: number): number {
  const asked = outcome instanceof EgressError ? undefined : outcome.headers["retry-after"];
  const seconds = Number(asked?.trim() || Number.NaN);
  const ms = Number.isFinite(seconds) ? 1_000 * seconds : Date.parse(asked ?? "") - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : FIRST_PAUSE_MS * 2 ** (attempt - 1);
}
