import type { Clock } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "./contract.ts";
import { isHealthMethod } from "./health-method.ts";
import { TimedCall } from "./timed-call.ts";
import { TimedStream } from "./timed-stream.ts";

/**
 * Ends calls at the client's deadline, at the server's own limit (`maxDurationMs`, not for bidirectional streams) and when the client
 * disconnects. The handler's signal is aborted, and the caller gets the error at once, whether the handler reacts or not.
 */
export function limitTime(clock: Clock, maxDurationMs: number): Interceptor {
  const open = (method: RegisteredMethod, context: CallContext): TimedCall => {
    const isOpen = method.method.methodKind === "bidi_streaming" || isHealthMethod(method);
    const own = isOpen ? undefined : clock.now() + maxDurationMs;
    return new TimedCall(context, earlier(context.deadline, own), clock);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      const call = open(method, context);
      try {
        return await call.raceEnd(() => next.unary(method, request, call.context));
      } finally {
        call.close();
      }
    },
    stream: (method, request, context) =>
      new TimedStream(
        () => open(method, context),
        (call) => next.stream(method, request, call.context),
      ),
  });
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
