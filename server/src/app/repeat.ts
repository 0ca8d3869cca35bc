import { LONGEST_TIMER_MS, type Logger } from "#base";
import { createFaultLog } from "./fault-log.ts";

/** A periodic job. */
export interface PeriodicJob {
  /** Name in the log. */
  readonly name: string;
  /** Milliseconds between the end of one run and the start of the next. Up to a fifth is added, so that several servers do not run at once. */
  readonly everyMs: number;
  /** Milliseconds until the first run, and a part of a fifth more. Default: `everyMs`. */
  readonly firstMs?: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** A started job. */
export interface RunningJob {
  /** Aborts the current run, and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job after the first interval, and after each further one. A run that fails is logged, unless the one before failed for the same reason, and the next one runs as usual (DB-10). The timer does not
 * keep the process alive.
 */
export function repeat(
  { name, everyMs, firstMs = everyMs, run }: PeriodicJob,
  logger: Logger,
  random = Math.random,
): RunningJob {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer = schedule(firstMs);
  const log = createFaultLog(name, logger);

  function schedule(pauseMs: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        running = run(stop.signal)
          .then(log.passed, log.failed)
          .then(() => {
            if (!stop.signal.aborted) timer = schedule(everyMs);
          });
      },
      Math.min(pauseMs * (1 + random() / 5), LONGEST_TIMER_MS),
    ).unref();
  }

  return {
    stop: async () => {
      stop.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
