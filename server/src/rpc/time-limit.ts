import type { Clock } from "#base";
import { ConnectError, cancelled, deadlineExceeded } from "#status";
import { withTime } from "./call-context.ts";
import type { CallContext, Interceptor, RegisteredMethod } from "./contract.ts";

/** Longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Ends calls at the client's deadline, at the server's own limit (`maxDurationMs`; conversations over a bidirectional
 * stream have none) and when the client goes away. The handler is told by its signal; the caller is answered at once,
 * whether the handler listens or not.
 */
export function limitTime(clock: Clock, maxDurationMs: number): Interceptor {
  const open = (method: RegisteredMethod, context: CallContext): TimedCall => {
    const own = method.method.methodKind === "bidi_streaming" ? undefined : clock.now() + maxDurationMs;
    return new TimedCall(context, earlier(context.deadline, own), clock);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      const call = open(method, context);
      try {
        return await call.untilOver(() => next.unary(method, request, call.context));
      } finally {
        call.close();
      }
    },
    stream: async function* (method, request, context) {
      const call = open(method, context);
      let reading: AsyncIterator<unknown> | undefined;
      try {
        const messages = next.stream(method, request, call.context)[Symbol.asyncIterator]();
        reading = messages;
        for (;;) {
          const step = await call.untilOver(() => messages.next());
          if (step.done) {
            reading = undefined;
            return;
          }
          yield step.value;
        }
      } finally {
        call.close();
        if (reading) call.abandon();
        // Not awaited: a handler that ignores its signal must not hold the answer back.
        reading
          ?.return?.()
          .catch((error: unknown) => context.logger.debug({ err: error }, "a stopped stream ended with an error"));
      }
    },
  });
}

/** One running call, its signal, and the reason why it must end. */
class TimedCall {
  readonly context: CallContext;
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;
  #reject: ((reason: ConnectError) => void) | undefined;

  constructor(context: CallContext, deadline: number | undefined, clock: Clock) {
    this.context = withTime(context, this.#controller.signal, deadline);
    this.#parent = context.signal;
    this.#parent.addEventListener("abort", this.#onParentAbort, { once: true });
    if (this.#parent.aborted) this.#onParentAbort();
    if (deadline === undefined) return;
    const left = Math.min(Math.max(deadline - clock.now(), 0), MAX_TIMER_MS);
    this.#timer = setTimeout(
      () => this.#end(deadlineExceeded("The deadline of the call passed before it was answered.")),
      left,
    );
  }

  /** Waits for the work, or rejects with the reason when the call must end first. */
  untilOver<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#controller.signal.aborted) return reject(this.#controller.signal.reason);
      this.#reject = reject;
      work().then(resolve, reject);
    });
  }

  /** Tells the handler that nobody reads on. */
  abandon(): void {
    this.#controller.abort(cancelled("The caller stopped reading."));
  }

  /** Forgets the timer and the client. */
  close(): void {
    clearTimeout(this.#timer);
    this.#parent.removeEventListener("abort", this.#onParentAbort);
    this.#reject = undefined;
  }

  readonly #onParentAbort = (): void => {
    const { reason } = this.#parent;
    this.#end(reason instanceof ConnectError ? reason : cancelled("The client went away or cancelled the call."));
  };

  #end(reason: ConnectError): void {
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
