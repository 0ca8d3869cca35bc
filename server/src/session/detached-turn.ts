import { AsyncQueue } from "#base";
import type { TurnEvent } from "./contract.ts";

/**
 * Runs a turn for a client that may leave, or read slowly: it goes on at its own pace whether or not it is read, so that nobody blocks a session. When the client is gone, or its
 * reader stops early, the turn is stopped, unless it has called `onActed` (TURN-48).
 */
export function runDetached(
  run: (stop: AbortSignal, onActed: () => void) => AsyncIterable<TurnEvent>,
  client: AbortSignal,
): AsyncIterable<TurnEvent> {
  const stop = new AbortController();
  let hasActed = false;
  const leave = () => {
    if (!hasActed) stop.abort(client.reason);
  };
  if (client.aborted) leave();
  client.addEventListener("abort", leave, { once: true });
  const queue = new AsyncQueue<TurnEvent>(leave);
  const onActed = () => {
    hasActed = true;
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const event of run(stop.signal, onActed)) queue.push(event);
      queue.end();
    } catch (error) {
      queue.fail(error);
    } finally {
      client.removeEventListener("abort", leave);
    }
  };
  void pump();
  return queue;
}
