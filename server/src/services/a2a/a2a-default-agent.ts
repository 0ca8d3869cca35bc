import type { Message } from "@bufbuild/protobuf";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import { deferStream } from "#base";
import type { Interceptor, RegisteredMethod } from "#rpc";
import type { A2aAgents } from "./a2a-agents.ts";

/**
 * Names the agent for requests that name none (A2A-1), before permissions are asked for: they are those of that agent. A request stays as it
 * is where there is no such agent.
 */
export function nameDefaultAgent({ defaultName }: Pick<A2aAgents, "defaultName">): Interceptor {
  const named = async (request: Message): Promise<Message> => {
    const tenant = await defaultName();
    return tenant === undefined ? request : ({ ...request, tenant } as Message);
  };
  return (next) => ({
    unary: async (method, request, context) =>
      next.unary(method, namesNone(method, request) ? await named(request) : request, context),
    stream: (method, request, context) => {
      if (Symbol.asyncIterator in request || !namesNone(method, request)) return next.stream(method, request, context);
      return deferStream(async () => next.stream(method, await named(request), context));
    },
  });
}

/** Every request of the protocol has a tenant. */
function namesNone({ internalMethod }: RegisteredMethod, request: Message): boolean {
  if (internalMethod.parent.typeName !== A2AService.typeName) return false;
  return (request as Message & { readonly tenant: string }).tenant === "";
}
