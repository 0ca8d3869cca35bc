import { type Logger as PinoLogger, pino } from "pino";
import { createLineWriter } from "./log-lines.ts";
import { serializeError } from "./serialize-error.ts";

/** A structured logger: one entry per line, on standard error. */
export type Logger = PinoLogger;

/** `json`: one JSON object per line, for programs. `pretty`: a line for people. */
export type LogFormat = "json" | "pretty";

/** Creates the process's logger. `level` is pino's ("debug", "info", "warn", "error", "silent"). */
export function createLogger(level: string, format: LogFormat = "json", base: object | null = null): Logger {
  const serializers = { err: serializeError };
  const options = { level, base, serializers, timestamp: pino.stdTimeFunctions.isoTime };
  if (format === "json") return pino(options, pino.destination({ fd: 2, sync: false }));
  // In order with the banner, which is written to the same terminal.
  const colours = process.stderr.isTTY && process.stderr.hasColors(); // false with NO_COLOR
  const lines = createLineWriter((text) => process.stderr.write(text), colours);
  return pino(options, lines);
}
