import { type Clock, type Logger, type StreamEnd, watchStream } from "#base";
import { Code, type ConnectError, isForLog, toGrpcStatusName, toStatusError } from "#status";
import type { CallContext, Interceptor, RegisteredMethod } from "./contract.ts";

/** The fields of a request log line, besides the status. */
interface RequestLogEntry {
  /** Full method name, or the path of a request that fits no method. */
  readonly method: string;
  readonly protocol: CallContext["protocol"];
  readonly revision?: string;
  readonly requestId: string;
  /** When the call began, milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Logs one line per call when it is over. The one place where anything thrown becomes a status error. The cause of an INTERNAL error
 * is logged with its stack; the caller sees neither.
 */
export function logRequests(clock: Clock, logger: Logger): Interceptor {
  return (next) => ({
    unary: async (method, request, context) => {
      const line = lineOf(method, context, clock.now());
      try {
        const response = await next.unary(method, request, context);
        logRequest(logger, clock, line);
        return response;
      } catch (error) {
        throw logFailedRequest(logger, clock, line, error);
      }
    },
    stream: (method, request, context) => {
      const line = lineOf(method, context, clock.now());
      const onEnd = (end: StreamEnd): void => {
        if (end.kind === "failed") throw logFailedRequest(logger, clock, line, end.error);
        logRequest(logger, clock, line, end.kind === "done" ? "OK" : toGrpcStatusName(Code.Canceled));
      };
      return watchStream(() => next.stream(method, request, context), { onEnd });
    },
  });
}

/** Logs a call; `status` is the canonical name of its code. */
export function logRequest(logger: Logger, clock: Clock, line: RequestLogEntry, status = "OK"): void {
  logger.info(fields(line, clock, status), "request");
}

/** Logs a call that failed, and returns the status error. */
export function logFailedRequest(logger: Logger, clock: Clock, line: RequestLogEntry, error: unknown): ConnectError {
  const statusError = toStatusError(error);
  const entry = { ...fields(line, clock, toGrpcStatusName(statusError.code)), error: statusError.rawMessage };
  if (isForLog(statusError)) logger.error({ ...entry, err: statusError.cause ?? statusError }, "request");
  else logger.info(entry, "request");
  return statusError;
}

function lineOf(method: RegisteredMethod, context: CallContext, startedAt: number): RequestLogEntry {
  const { protocol, revision, requestId } = context;
  return { method: `${method.method.parent.typeName}.${method.method.name}`, protocol, revision, requestId, startedAt };
}

function fields({ startedAt, ...line }: RequestLogEntry, clock: Clock, code: string): object {
  return { ...line, code, ms: Math.round((clock.now() - startedAt) * 100) / 100 };
}
