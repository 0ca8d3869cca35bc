import { type Clock, type Logger, watchStream } from "#base";
import { Code, ConnectError, unavailable } from "#status";
import { type BreakerPolicy, CircuitBreaker } from "./circuit-breaker.ts";
import type { LanguageModel, ModelRequest, StreamOptions, StreamPart } from "./contract.ts";

interface GuardDeps {
  readonly policy: BreakerPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Guards models: one that is down is left alone, and what another one answers in its place is its answer (TURN-64). */
export function createModelGuard({ policy, clock, logger }: GuardDeps) {
  const breakers = new Map<string, CircuitBreaker>();

  function breakerOf(label: string): CircuitBreaker {
    const breaker = breakers.get(label) ?? new CircuitBreaker(policy);
    breakers.set(label, breaker);
    return breaker;
  }

  /** The model, unless it is down. */
  function guarded(model: LanguageModel): LanguageModel["stream"] {
    const breaker = breakerOf(model.label);
    return (request, options) => {
      let called = false;
      const open = () => {
        const waitMs = breaker.enter(clock.now());
        if (waitMs > 0) throw leftAlone(model.label, waitMs);
        called = true;
        return model.stream(request, options);
      };
      return watchStream(open, {
        onItem: () => breaker.succeeded(),
        onEnd: (end) => {
          if (end.kind !== "failed" || !called || options.signal.aborted) return;
          if (isDown(end.error)) breaker.failed(clock.now());
          else breaker.succeeded();
        },
      });
    };
  }

  /** The model with others that answer in its place, in this order. */
  function guard(model: LanguageModel, others: readonly LanguageModel[]): LanguageModel {
    const candidates = [model, ...others].map((each) => ({ label: each.label, stream: guarded(each) }));
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

/** It cannot be reached, or answers nothing but that it cannot answer. */
function isDown(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}

/** What is wrong with the request or the key would be wrong elsewhere, or should be seen. */
function mayAskAnother(error: unknown): error is ConnectError {
  return isDown(error) || (error instanceof ConnectError && error.code === Code.ResourceExhausted);
}
