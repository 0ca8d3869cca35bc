import type { Logger } from "#base";

/** A job that the server does from time to time. */
export interface Job {
  /** As logs name it. */
  readonly name: string;
  /** Milliseconds between the end of one run and the start of the next, plus up to a fifth, so that several servers do not meet. */
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** A job that was started. */
export interface RunningJob {
  /** Tells a run that is under way to stop, and resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Runs a job for the first time after its interval and then again and again. A run that fails is logged and tried again at the
 * next; the timer keeps no process alive.
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
