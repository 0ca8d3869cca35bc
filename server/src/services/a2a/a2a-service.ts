import { A2AService } from "@frontdesk/protos/a2a/a2a";
import type { A2aCall, A2aTasks } from "#a2a";
import { deferStream } from "#base";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { a2aVersionNotSupported } from "#status";
import { idempotencyKey } from "../idempotency-key.ts";
import type { A2aAgents } from "./a2a-agents.ts";
import type { A2aCards } from "./a2a-cards.ts";

interface A2aServiceDeps {
  readonly tasks: A2aTasks;
  readonly agents: A2aAgents;
  readonly cards: A2aCards;
}

/** Apps, versions and deployments as agents: `lf.a2a.v1.A2AService`, the same on every protocol. */
export function createA2aService({ tasks, agents, cards }: A2aServiceDeps): ServiceRegistration {
  const callTo = async (tenant: string, context: CallContext): Promise<A2aCall> => {
    const version = versionOf(context);
    return {
      agent: await agents.of(tenant),
      owner: context.caller.principal,
      sender: context,
      key: idempotencyKey(context.headers),
      version,
      extensions: extensionsOf(context),
      traceparent: context.headers.get("traceparent"),
      signal: context.signal,
    };
  };
  return defineService(A2AService, [], {
    sendMessage: async (request, context) => ({
      payload: await tasks.send(request, await callTo(request.tenant, context)),
    }),
    sendStreamingMessage: (request, context) =>
      deferStream(async () => tasks.stream(request, await callTo(request.tenant, context))),
    getTask: async (request, context) => tasks.get(request, await callTo(request.tenant, context)),
    listTasks: async (request, context) => tasks.list(request, await callTo(request.tenant, context)),
    cancelTask: async (request, context) => tasks.cancel(request, await callTo(request.tenant, context)),
    subscribeToTask: (request, context) =>
      deferStream(async () => tasks.subscribe(request, await callTo(request.tenant, context))),
    createTaskPushNotificationConfig: async (request, context) =>
      tasks.pushConfigs.create(request, await callTo(request.tenant, context)),
    getTaskPushNotificationConfig: async (request, context) =>
      tasks.pushConfigs.get(request, await callTo(request.tenant, context)),
    listTaskPushNotificationConfigs: async (request, context) =>
      tasks.pushConfigs.list(request, await callTo(request.tenant, context)),
    deleteTaskPushNotificationConfig: async (request, context) => {
      await tasks.pushConfigs.remove(request, await callTo(request.tenant, context));
      return {};
    },
    getExtendedAgentCard: async ({ tenant }, context) => {
      versionOf(context);
      const host = context.headers.get("host") ?? context.headers.get(":authority");
      return cards.extended(tenant, { host });
    },
  });
}

/** 1.0, with any patch number (A2A 1.0, section 3.6). */
const SUPPORTED = /^1(?:\.0(?:\.\d+)?)?$/;

/**
 * The version that the caller speaks. The messages of this service are those of 1.0, so a caller that names none speaks it; the binding for 0.3
 * translates. VERSION_NOT_SUPPORTED for any other (A2A-3).
 */
function versionOf({ headers, protocol }: CallContext): A2aCall["version"] {
  if (protocol === "a2a-0.3") return "0.3";
  const version = headers.get("a2a-version")?.trim() ?? "";
  if (version === "" || SUPPORTED.test(version)) return "1.0";
  throw a2aVersionNotSupported(version);
}

function extensionsOf({ headers }: CallContext): ReadonlySet<string> {
  const text = headers.get("a2a-extensions") ?? headers.get("x-a2a-extensions") ?? "";
  return new Set(text.split(",").flatMap((uri) => uri.trim() || []));
}
