import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { Code, toGrpcStatusName, toStatusError } from "#status";
import type { Metrics } from "./metrics.ts";

/** Counts every call of a method when it has ended; a stream whose reader went away ends with CANCELLED. */
export function countRequests({ requests }: Pick<Metrics, "requests">): Interceptor {
  const count = ({ method }: RegisteredMethod, { protocol }: CallContext, code: string) =>
    requests.inc({ method: `${method.parent.typeName}/${method.name}`, protocol, code });
  const codeOf = (error: unknown) => toGrpcStatusName(toStatusError(error).code);
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
    stream: async function* (method, request, context) {
      let code = toGrpcStatusName(Code.Canceled);
      try {
        yield* next.stream(method, request, context);
        code = "OK";
      } catch (error) {
        code = codeOf(error);
        throw error;
      } finally {
        count(method, context, code);
      }
    },
  });
}
