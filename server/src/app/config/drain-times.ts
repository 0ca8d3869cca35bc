import { secondsOf } from "./config-values.ts";

/** How long a server that is told to stop goes on. */
export interface DrainTimes {
  /** Milliseconds after SIGTERM in which `/readyz` answers 503 and calls are still taken. Default 0. */
  readonly drainDelayMs: number;
  /** Milliseconds that turns and asynchronous tool calls in flight get after that. Default 25,000. */
  readonly drainMs: number;
}

/** The times of the flag, else of the environment, else of the file. Throws `ConfigError`. */
export function drainTimes(
  flag: string | undefined,
  variable: string | undefined,
  file: { readonly drainDelaySeconds?: number | undefined; readonly drainSeconds?: number | undefined },
): DrainTimes {
  const delay = secondsOf("--drain-delay", flag) ?? secondsOf("FRONTDESK_DRAIN_DELAY_SECONDS", variable);
  return {
    drainDelayMs: 1_000 * (delay ?? file.drainDelaySeconds ?? 0),
    drainMs: 1_000 * (file.drainSeconds ?? 25),
  };
}
