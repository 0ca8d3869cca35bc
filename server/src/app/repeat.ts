import type { Logger } from "#base";

/** A periodic job. */
interface Job {
  /** Name in the log. */
  readonly name: string;
  /** Milliseconds between the end of one run and the start of the next. Up to a fifth is added, so that several servers do not run at once. */
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** A started job. */
export interface RunningJob {
  /** Aborts the current run, and resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job after each interval. A run that fails is logged, and the next one runs as usual. The timer does not keep the process
 * alive.
 */
export function repeat({ name, everyMs, run }: Job, logger: Logger, random = Math.random): RunningJob {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(
      () => {
        running = run(stop.signal)
          .catch((error: unknown) => logger.error({ err: error }, `${name} failed`))
          .then(() => {
            if (!stop.signal.aborted) timer = schedule();
          });
      },
      everyMs * (1 + random() / 5),
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
