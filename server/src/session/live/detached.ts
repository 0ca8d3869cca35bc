import { AsyncQueue } from "#base";

/**
 * Runs a source of events at its own pace, whether or not somebody reads: a turn must not hold its session up because one
 * client reads slowly. Who leaves the loop early, or aborts, stops the source.
 */
export function detached<T>(run: (stop: AbortSignal) => AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const queue = new AsyncQueue<T>(() => stop.abort());
  const pump = async (): Promise<void> => {
    try {
      for await (const event of run(stop.signal)) queue.push(event);
      queue.end();
    } catch (error) {
      queue.fail(error);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  void pump();
  return queue;
}
