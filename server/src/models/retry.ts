import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, flatMapStream, type Logger } from "#base";
import { ConnectError } from "#status";
import type { StreamPart } from "./contract.ts";
import { ModelCallError, type Redact, toModelCallError, toModelStatusError } from "./model-call-error.ts";

/** When a failed call is retried. */
export interface RetryPolicy {
  /** Calls in all, the first included. Default 3. */
  readonly attempts: number;
  /** The first wait, milliseconds; it doubles each time. Default 500. */
  readonly baseDelayMs: number;
  /** The longest wait, milliseconds. A provider that asks for a longer wait is not called again, because an end user is waiting. Default 10,000. */
  readonly maxDelayMs: number;
}

/** One attempt at a call, read batch by batch. */
export interface Attempt {
  /** The next parts, never an empty list; `undefined` after the last. */
  read(): Promise<readonly StreamPart[] | undefined>;
  /** Called once, whatever happened: frees the socket. */
  close(): void;
}

/** What a retried call needs around it. */
interface RetryContext {
  readonly label: string;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly redact: Redact;
}

/**
 * Yields the parts of the first attempt that succeeds. A failure before the first part is retried by the policy;
 * one after it is final, because parts that the caller has received cannot be undone. Throws a status error, or the signal's reason.
 */
export function withRetries(open: () => Promise<Attempt>, context: RetryContext): AsyncGenerator<StreamPart, void> {
  return flatMapStream(batchesWithRetries(open, context), (parts) => parts);
}

/** The parts in batches: those of one read together. */
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
        if (!emitted && isMalformed(parts) && tries < context.policy.attempts) throw malformedAnswer(parts);
        emitted = true;
        yield parts;
      }
      return;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof ConnectError) throw error;
      const failure = toModelCallError(error);
      const delay = emitted ? undefined : retryDelay(failure, tries, context.policy, context.random);
      if (delay === undefined) {
        throw toModelStatusError(context.label, failure, tries, context.redact, attempt !== undefined);
      }
      logRetry(failure, tries, delay, context);
      await waitUnlessAborted(delay, context.signal);
    } finally {
      attempt?.close();
    }
  }
}

/**
 * How long to wait before the next try, in milliseconds; `undefined` = do not retry. The provider's own `Retry-After` wins;
 * otherwise the base doubles each time, with half of it as random jitter.
 */
export function retryDelay(
  failure: ModelCallError,
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

function logRetry(
  failure: ModelCallError,
  tries: number,
  delayMs: number,
  { label, logger, redact }: RetryContext,
): void {
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

/** Whether an answer has nothing but the remark that it cannot be read: the next one may be sound, since models draw their words. */
function isMalformed([first]: readonly StreamPart[]): boolean {
  return first?.kind === "finish" && first.reason === "malformed";
}

function malformedAnswer([first]: readonly StreamPart[]): ModelCallError {
  const what = first?.kind === "finish" ? first.rawReason : "";
  return new ModelCallError(`the answer cannot be read: ${what}`, { retryable: true });
}
