import { type StreamEnd, watchStream } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { Code, toGrpcStatusName, toStatusError } from "#status";
import type { Metrics } from "./metrics.ts";

/** Codes whose rate an alert rule follows (deploy/alerts.yaml). */
const WATCHED = [Code.Unavailable, Code.Internal, Code.Aborted].map(toGrpcStatusName);

/** Counts every call of a method when it ends; a stream whose reader leaves ends with CANCELLED. What alert rules watch has a sample from the method's first call on. */
export function countRequests({ requests }: Pick<Metrics, "requests">): Interceptor {
  const count = ({ method }: RegisteredMethod, { protocol }: CallContext, code: string) =>
    requests.inc({ method: nameOf(method), protocol, code });
  const known = new Set<string>();
  const begin = ({ method }: RegisteredMethod, { protocol }: CallContext) => {
    const key = `${nameOf(method)} ${protocol}`;
    if (known.has(key)) return;
    known.add(key);
    for (const code of WATCHED) requests.inc({ method: nameOf(method), protocol, code }, 0);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      begin(method, context);
      try {
        const response = await next.unary(method, request, context);
        count(method, context, "OK");
        return response;
      } catch (error) {
        count(method, context, codeOf(error));
        throw error;
      }
    },
    stream: (method, request, context) => {
      begin(method, context);
      return watchStream(() => next.stream(method, request, context), {
        onEnd: (end) => count(method, context, codeOfEnd(end)),
      });
    },
  });
}

function nameOf({ parent, name }: RegisteredMethod["method"]): string {
  return `${parent.typeName}/${name}`;
}

function codeOfEnd(end: StreamEnd): string {
  if (end.kind === "failed") return codeOf(end.error);
  return end.kind === "done" ? "OK" : toGrpcStatusName(Code.Canceled);
}

function codeOf(error: unknown): string {
  return toGrpcStatusName(toStatusError(error).code);
}
