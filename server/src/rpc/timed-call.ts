import { type Clock, LONGEST_TIMER_MS } from "#base";
import { ConnectError, cancelled, deadlineExceeded } from "#status";
import { withTime } from "./call-context.ts";
import type { CallContext } from "./contract.ts";

/** One running call: its signal, its timer, and the reason why it ends early. */
export class TimedCall {
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
    const left = Math.min(Math.max(deadline - clock.now(), 0), LONGEST_TIMER_MS);
    this.#timer = setTimeout(
      () => this.#end(deadlineExceeded("The deadline of the call passed before it was answered.")),
      left,
    );
  }

  /** The result of the work, or the reason of the end when the call ends first. */
  raceEnd<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#controller.signal.aborted) return reject(this.#controller.signal.reason);
      this.#reject = reject;
      work().then(resolve, reject);
    });
  }

  /** Aborts the handler because the caller stopped reading. */
  abandon(): void {
    this.#controller.abort(cancelled("The caller stopped reading."));
  }

  /** Releases the timer and the listener on the client's signal. */
  close(): void {
    clearTimeout(this.#timer);
    this.#parent.removeEventListener("abort", this.#onParentAbort);
    this.#reject = undefined;
  }

  readonly #onParentAbort = (): void => {
    const { reason } = this.#parent;
    this.#end(reason instanceof ConnectError ? reason : cancelled("The client disconnected or cancelled the call."));
  };

  #end(reason: ConnectError): void {
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }
}
