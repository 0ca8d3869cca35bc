import { AsyncQueue } from "#base";
import type { TurnEvent } from "./contract.ts";

/** What stops a turn whose client is gone, unless something came of it by then (TURN-48). */
interface Abandonment {
  readonly stop: AbortSignal;
  /** Something came of the turn: from now on nothing here stops it. */
  readonly onActed: () => void;
  /** The client is gone. */
  readonly leave: () => void;
  /** The turn has ended. */
  readonly end: () => void;
}

function abandonedBy(client: AbortSignal): Abandonment {
  const stop = new AbortController();
  let hasActed = false;
  const leave = () => {
    if (!hasActed) stop.abort(client.reason);
  };
  if (client.aborted) leave();
  client.addEventListener("abort", leave, { once: true });
  return {
    stop: stop.signal,
    onActed: () => {
      hasActed = true;
    },
    leave,
    end: () => client.removeEventListener("abort", leave),
  };
}

type Run = (stop: AbortSignal, onActed: () => void) => AsyncIterable<TurnEvent>;

/**
 * Runs a turn for a client that may leave, or read slowly: it goes on at its own pace whether or not it is read, so that nobody blocks a session. When the client is gone, or its
 * reader stops early, the turn is stopped, unless it has called `onActed` (TURN-48).
 */
export function runDetached(run: Run, client: AbortSignal): AsyncIterable<TurnEvent> {
  const { stop, onActed, leave, end } = abandonedBy(client);
  const queue = new AsyncQueue<TurnEvent>(leave);
  const pump = async (): Promise<void> => {
    try {
      for await (const event of run(stop, onActed)) queue.push(event);
      queue.end();
    } catch (error) {
      queue.fail(error);
    } finally {
      end();
    }
  };
  void pump();
  return queue;
}

/** Runs a turn for a client that may leave, at the pace of a reader that reads to the end however slow the client is. Stops like `runDetached`. */
export async function* runUnlessAbandoned(run: Run, client: AbortSignal): AsyncGenerator<TurnEvent, void> {
  const { stop, onActed, end } = abandonedBy(client);
  try {
    yield* run(stop, onActed);
  } finally {
    end();
  }
}
