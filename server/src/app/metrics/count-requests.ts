import { type StreamEnd, watchStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { Code, toGrpcStatusName, toStatusError } from "#status";
import type { Metrics } from "./metrics.ts";

/** Counts every call of a method when it ends; a stream whose reader leaves ends with CANCELLED. */
export function countRequests({ requests }: Pick<Metrics, "requests">): Interceptor {
  const count = ({ method }: RegisteredMethod, { protocol }: CallContext, code: string) =>
    requests.inc({ method: `${method.parent.typeName}/${method.name}`, protocol, code });
  return (next) => ({
    unary: async (method, request, context) => {
      try {
        const response = await next.unary(method, request, context);
        count(method, context, "OK");
        return response;
      } catch (error) {
        count(method, context, codeOf(error));
        throw error;
      }
    },
    stream: (method, request, context) =>
      watchStream(() => next.stream(method, request, context), {
        onEnd: (end) => count(method, context, codeOfEnd(end)),
      }),
  });
}

function codeOfEnd(end: StreamEnd): string {
  if (end.kind === "failed") return codeOf(end.error);
  return end.kind === "done" ? "OK" : toGrpcStatusName(Code.Canceled);
}

function codeOf(error: unknown): string {
  return toGrpcStatusName(toStatusError(error).code);
}
