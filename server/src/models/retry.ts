import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, flatMapStream, type Logger } from "#base";
import { ConnectError } from "#status";
import { type CallFailure, toCallFailure } from "./call-failure.ts";
import type { StreamPart } from "./contract.ts";
import type { Redact } from "./redact.ts";
import { toRefusal } from "./to-refusal.ts";

/** How a failed call is tried again. */
export interface RetryPolicy {
  /** Calls in all, the first included. Default 3. */
  readonly attempts: number;
  /** The first wait, milliseconds; it doubles each time. Default 500. */
  readonly baseDelayMs: number;
  /** The longest wait, milliseconds. A provider that asks for a longer one is not called again: somebody is waiting. Default 10,000. */
  readonly maxDelayMs: number;
}

/** One try of a call, pulled batch by batch. */
export interface Attempt {
  /** The next parts, never an empty list; `undefined` after the last. */
  read(): Promise<readonly StreamPart[] | undefined>;
  /** Called once, whatever happened: frees the socket. */
  close(): void;
}

/** What a retried call needs around it. */
export interface RetryContext {
  readonly label: string;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly redact: Redact;
}

/**
 * Yields the parts of the first attempt that succeeds. A failure before the first part is tried again as the policy says;
 * one after it is final, because what was heard cannot be taken back. Throws a refusal, or the signal's reason.
 */
export function withRetries(open: () => Promise<Attempt>, context: RetryContext): AsyncGenerator<StreamPart, void> {
  return flatMapStream(batchesWithRetries(open, context), (parts) => parts);
}

/** The parts as they came: those of one read together. */
async function* batchesWithRetries(
  open: () => Promise<Attempt>,
  context: RetryContext,
): AsyncGenerator<readonly StreamPart[], void> {
  for (let tries = 1; ; tries += 1) {
    let emitted = false;
    let attempt: Attempt | undefined;
    try {
      attempt = await open();
      for (let parts = await attempt.read(); parts; parts = await attempt.read()) {
        emitted = true;
        yield parts;
      }
      return;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof ConnectError) throw error;
      const failure = toCallFailure(error);
      const delay = emitted ? undefined : retryDelay(failure, tries, context.policy, context.random);
      if (delay === undefined) throw toRefusal(context.label, failure, tries, context.redact);
      logRetry(failure, tries, delay, context);
      await waitUnlessAborted(delay, context.signal);
    } finally {
      attempt?.close();
    }
  }
}

/**
 * How long to wait before the next try, in milliseconds; `undefined` = do not try again. What the provider asks for wins;
 * otherwise the base doubles each time, half of it drawn at random, so that many callers do not come back at once.
 */
export function retryDelay(
  failure: CallFailure,
  tries: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!failure.retryable || tries >= policy.attempts) return undefined;
  if (failure.retryAfterMs !== undefined) {
    return failure.retryAfterMs > policy.maxDelayMs ? undefined : failure.retryAfterMs;
  }
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (tries - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}

function logRetry(failure: CallFailure, tries: number, delayMs: number, { label, logger, redact }: RetryContext): void {
  const fields = { model: label, httpStatus: failure.status, tries, delayMs: Math.round(delayMs) };
  logger.warn({ ...fields, reason: redact(failure.message) }, "model call failed; trying again");
}

async function waitUnlessAborted(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(delayMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
