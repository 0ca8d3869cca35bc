import { type Clock, type Logger, steadyClock, watchStream } from "#base";
import { Code, ConnectError, unavailable } from "#status";
import { type BreakerPolicy, CircuitBreaker } from "./circuit-breaker.ts";
import type { LanguageModel, ModelRequest, StreamOptions, StreamPart } from "./contract.ts";

interface GuardDeps {
  readonly policy: BreakerPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What calls know of one model together. */
interface Watched {
  readonly breaker: CircuitBreaker;
  /** Ends calls that wait for the first part of their answer for too long. */
  readonly silent: Set<AbortController>;
}

/** Guards models: one that is down is left alone, and what another one answers in its place is its answer (TURN-64). */
export function createModelGuard({ policy, clock: wall, logger }: GuardDeps) {
  const clock = steadyClock(wall);
  const models = new Map<string, Watched>();

  function watchedBy(label: string): Watched {
    const watched = models.get(label) ?? { breaker: new CircuitBreaker(policy), silent: new Set() };
    models.set(label, watched);
    return watched;
  }

  /** The model, unless it is down. `hasNext`: whether another one can answer in its place. */
  function guarded(model: LanguageModel, hasNext: boolean): LanguageModel["stream"] {
    const { label } = model;
    const { breaker, silent } = watchedBy(label);

    function onSilence(call: AbortController): void {
      breaker.failed(clock.now());
      silent.add(call);
      const ended = hasNext ? [call] : breaker.isOpen(clock.now()) ? [...silent] : [];
      for (const each of ended) each.abort(unanswered(label, policy));
    }

    return (request, options) => {
      const call = new AbortController();
      const onAbort = () => call.abort(options.signal.reason);
      let called = false;
      let timer: NodeJS.Timeout | undefined;
      const settle = () => {
        clearTimeout(timer);
        timer = undefined;
        silent.delete(call);
      };
      const open = () => {
        const waitMs = breaker.enter(clock.now());
        if (waitMs > 0) throw leftAlone(label, waitMs);
        if (options.signal.aborted) onAbort();
        else options.signal.addEventListener("abort", onAbort, { once: true });
        timer = setTimeout(onSilence, policy.silentMs, call).unref();
        called = true;
        return model.stream(request, { ...options, signal: call.signal });
      };
      return watchStream(open, {
        onItem: () => {
          if (timer) settle();
          breaker.succeeded();
        },
        onEnd: (end) => {
          const isCounted = silent.has(call);
          settle();
          options.signal.removeEventListener("abort", onAbort);
          if (end.kind !== "failed" || isCounted || !called || options.signal.aborted) return;
          if (isDown(end.error)) breaker.failed(clock.now());
          else breaker.succeeded();
        },
      });
    };
  }

  /** The model with others that answer in its place, in this order. */
  function guard(model: LanguageModel, others: readonly LanguageModel[]): LanguageModel {
    const all = [model, ...others];
    const candidates = all.map((each, at) => ({ label: each.label, stream: guarded(each, at + 1 < all.length) }));
    const [first] = candidates;
    const stream = candidates.length === 1 && first ? first.stream : firstToAnswer(candidates, logger);
    return { label: model.label, capabilities: model.capabilities, stream };
  }

  return guard;
}

type Candidate = Pick<LanguageModel, "label" | "stream">;

/** The next one is asked when one fails before its first part: parts that the caller has received cannot be undone. */
function firstToAnswer(candidates: readonly Candidate[], logger: Logger): LanguageModel["stream"] {
  return async function* (request: ModelRequest, options: StreamOptions): AsyncGenerator<StreamPart, void> {
    for (const [at, { label, stream }] of candidates.entries()) {
      const next = candidates[at + 1];
      let emitted = false;
      try {
        for await (const part of stream(request, options)) {
          emitted = true;
          yield part;
        }
        return;
      } catch (error) {
        if (emitted || !next || options.signal.aborted || !mayAskAnother(error)) throw error;
        logger.warn({ model: label, next: next.label, reason: error.rawMessage }, "another model answers in its place");
      }
    }
  };
}

function leftAlone(label: string, waitMs: number): ConnectError {
  return unavailable(`Model '${label}' did not answer several calls in a row, and is not called for a while.`, {
    reason: "MODEL_LEFT_ALONE",
    metadata: { model: label },
    retryMs: Math.ceil(waitMs),
  });
}

function unanswered(label: string, { silentMs, openMs }: BreakerPolicy): ConnectError {
  return unavailable(`Model '${label}' has not begun to answer for ${silentMs / 1_000} seconds.`, {
    reason: "MODEL_SILENT",
    metadata: { model: label },
    retryMs: openMs,
  });
}

/** It cannot be reached, or answers nothing but that it cannot answer. */
function isDown(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}

/** What is wrong with the request or the key would be wrong elsewhere, or should be seen. */
function mayAskAnother(error: unknown): error is ConnectError {
  return isDown(error) || (error instanceof ConnectError && error.code === Code.ResourceExhausted);
}
