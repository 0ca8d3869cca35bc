import { type Logger as PinoLogger, pino } from "pino";

/** A structured logger: one JSON line per entry, on standard error. */
export type Logger = PinoLogger;

/** Creates the process's logger. `level` is pino's ("debug", "info", "warn", "error", "silent"). */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
}
