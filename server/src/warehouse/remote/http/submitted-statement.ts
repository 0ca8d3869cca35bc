import { setTimeout as delay } from "node:timers/promises";
import { cancelled, type QueryLimits, timedOut } from "../../contract.ts";

/** An engine that takes a statement, tells an id at once, and is asked for the result. */
interface StatementApi<Answer> {
  /** Is not aborted: without the id of the statement nobody could cancel it. */
  submit(): Promise<Answer>;
  idOf(answer: Answer): string;
  isRunning(answer: Answer): boolean;
  /** Asks once more. */
  poll(id: string, signal: AbortSignal): Promise<Answer>;
  cancel(id: string): Promise<unknown>;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;

/** Submits a statement, waits for its end, and reads the result. Rejects with `QueryError`; after a timeout or an abort the engine has been told to cancel. */
export async function runSubmitted<Answer, Result>(
  api: StatementApi<Answer>,
  read: (answer: Answer, signal: AbortSignal) => Promise<Result>,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<Result> {
  if (signal.aborted) throw cancelled();
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const until = AbortSignal.any([signal, timeout]);
  const submitted = api.submit();
  let id: string | undefined;
  try {
    let answer = await unlessAborted(submitted, until);
    id = api.idOf(answer);
    for (let wait = FIRST_WAIT_MS; api.isRunning(answer); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      await delay(wait, undefined, { signal: until });
      answer = await api.poll(id, until);
    }
    return await read(answer, until);
  } catch (error) {
    if (until.aborted) {
      const cancelled = submitted.then((answer) => api.cancel(api.idOf(answer))).catch(() => {});
      // A statement that is still on its way is cancelled behind the answer.
      if (id !== undefined) await cancelled;
    }
    if (signal.aborted) throw cancelled(error);
    if (timeout.aborted) throw timedOut(limits, error);
    throw error;
  }
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([value, aborted.promise]).finally(() => signal.removeEventListener("abort", onAbort));
}
