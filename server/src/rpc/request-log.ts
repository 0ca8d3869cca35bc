import { type Clock, type Logger, type StreamEnd, watchStream } from "#base";
import { Code, type ConnectError, toGrpcStatusName, toStatusError } from "#status";
import type { CallContext, Interceptor, RegisteredMethod } from "./contract.ts";

/** What a line of the request log says about a call, besides how it ended. */
export interface RequestLine {
  /** Full method name, or the path of a request that fits no method. */
  readonly method: string;
  readonly protocol: CallContext["protocol"];
  readonly revision?: string;
  readonly requestId: string;
  /** When the call began, milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * One line a call, when it is over, and the one place where what was thrown becomes a refusal. INTERNAL logs its cause
 * with the stack; the caller sees neither.
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
        throw logRefusal(logger, clock, line, error);
      }
    },
    stream: (method, request, context) => {
      const line = lineOf(method, context, clock.now());
      const onEnd = (end: StreamEnd): void => {
        if (end.kind === "failed") throw logRefusal(logger, clock, line, end.error);
        logRequest(logger, clock, line, end.kind === "done" ? "OK" : toGrpcStatusName(Code.Canceled));
      };
      return watchStream(() => next.stream(method, request, context), { onEnd });
    },
  });
}

/** Logs a call that ended; `status` is the canonical name of its code. */
export function logRequest(logger: Logger, clock: Clock, line: RequestLine, status = "OK"): void {
  logger.info(fields(line, clock, status), "request");
}

/** Logs a call that was refused, and answers the refusal. */
export function logRefusal(logger: Logger, clock: Clock, line: RequestLine, error: unknown): ConnectError {
  const refusal = toStatusError(error);
  const entry = { ...fields(line, clock, toGrpcStatusName(refusal.code)), error: refusal.rawMessage };
  if (refusal.code === Code.Internal) logger.error({ ...entry, err: refusal.cause ?? refusal }, "request");
  else logger.info(entry, "request");
  return refusal;
}

function lineOf(method: RegisteredMethod, context: CallContext, startedAt: number): RequestLine {
  const { protocol, revision, requestId } = context;
  return { method: `${method.method.parent.typeName}.${method.method.name}`, protocol, revision, requestId, startedAt };
}

function fields({ startedAt, ...line }: RequestLine, clock: Clock, code: string): object {
  return { ...line, code, ms: Math.round((clock.now() - startedAt) * 100) / 100 };
}
