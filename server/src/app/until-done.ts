import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "#base";
import { Code, toStatusError } from "#status";

/** Work of a start without which the server runs. */
interface Work {
  /** In the log, e.g. `adding the example`. */
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Begun work. */
interface BegunWork {
  /** Resolves when the first attempt is over, however it ended. */
  readonly tried: Promise<void>;
  /** Begins no other attempt, and resolves when the one that runs is over. */
  stop(): Promise<void>;
}

/** Milliseconds until the second attempt; each pause after it is twice as long, up to the last. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Does work until an attempt succeeds. One that fails is logged with its reason. The pauses between attempts do not keep the process alive. */
export function untilDone({ name, run }: Work, logger: Logger): BegunWork {
  const stop = new AbortController();
  const { promise: tried, resolve: firstIsOver } = Promise.withResolvers<void>();

  async function attempt(): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      const { code, rawMessage, cause } = toStatusError(error);
      const fields = code === Code.Internal ? { err: cause ?? error } : { reason: rawMessage };
      if (!stop.signal.aborted) logger.warn(fields, `${name} failed; it is tried again`);
      return false;
    } finally {
      firstIsOver();
    }
  }

  async function repeatAttempts(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !(await attempt()); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await delay(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (stop.signal.aborted) return;
    }
  }

  const ended = repeatAttempts();
  return {
    tried,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}
