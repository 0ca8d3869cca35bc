import type { Logger } from "#base";
import type { CallContext } from "./contract.ts";

/** A call's context from what a protocol knows. The call's own logger is made when somebody asks for it. */
export function createCallContext(init: Omit<CallContext, "logger">, logger: Logger): CallContext {
  let own: Logger | undefined;
  return {
    ...init,
    get logger() {
      own ??= logger.child({ requestId: init.requestId });
      return own;
    },
  };
}

/** The same call with another signal and deadline. */
export function withTime(context: CallContext, signal: AbortSignal, deadline: number | undefined): CallContext {
  return {
    signal,
    revision: context.revision,
    protocol: context.protocol,
    headers: context.headers,
    requestId: context.requestId,
    ...(deadline !== undefined && { deadline }),
    ...(context.validateOnly && { validateOnly: true }),
    get logger() {
      return context.logger;
    },
  };
}

/** The same call, to be checked and not done. */
export function onlyValidating(context: CallContext): CallContext {
  return {
    signal: context.signal,
    revision: context.revision,
    protocol: context.protocol,
    headers: context.headers,
    requestId: context.requestId,
    validateOnly: true,
    ...(context.deadline !== undefined && { deadline: context.deadline }),
    get logger() {
      return context.logger;
    },
  };
}
