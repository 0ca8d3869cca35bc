import { create } from "@bufbuild/protobuf";
import {
  AgentService,
  BatchDeleteConversationsResponseSchema,
  ExportAppResponseSchema,
  type GenerateAppResourceRequest,
  GetAppRequestSchema,
  type ImportAppRequest,
  ImportAppResponseSchema,
  RestoreAppVersionResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import { AgentService as AgentServiceV1 } from "@frontdesk/protos/ces-v1/agent_service";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { hasWildcard } from "#aip";
import { authorOf } from "#base";
import type { Generation, GenerationModels } from "#generation";
import type { Resources } from "#resources";
import { type CallContext, defineService, markValidateOnly, type ServiceRegistration } from "#rpc";
import type { Conversations } from "#session";
import { invalidArgument } from "#status";
import { importCondition } from "./import-condition.ts";
import { startOperation } from "./long-running.ts";
import { type StandardServiceDeps, standardMethods } from "./standard-service.ts";

interface AgentServiceDeps extends StandardServiceDeps {
  readonly resources: Resources;
  readonly conversations: Conversations;
  readonly generation: Generation;
  readonly chargedModels: ChargedModels;
}

/** A list of conversations is of one app: a wildcard is INVALID_ARGUMENT (CONV-6), an app that does not exist NOT_FOUND. */
async function requireApp(parent: string, resources: Resources): Promise<void> {
  if (hasWildcard(parent)) {
    const description = `'${parent}' has a wildcard, which lists of conversations do not take. Name one app.`;
    throw invalidArgument({ field: "parent", description });
  }
  await resources.standard.invoke(AgentService.method.getApp, create(GetAppRequestSchema, { name: parent }));
}

/** The app that an import changes; its location when it creates one. */
function importedInto({ parent, appId }: ImportAppRequest): string {
  return appId === "" ? parent : `${parent}/apps/${appId}`;
}
/** The models of work on a resource, whose tokens are charged to who asks for it. Throws RESOURCE_EXHAUSTED. */
export type ChargedModels = (sender: Pick<CallContext, "caller" | "peer">, resource: string) => GenerationModels;

/** Apps and the resources below them: `google.cloud.ces.v1beta.AgentService`. */
export function createAgentService(deps: AgentServiceDeps): ServiceRegistration {
  const { resources, conversations, generation, chargedModels } = deps;
  const { method } = AgentService;
  return defineService(AgentService, [AgentServiceV1], {
    ...standardMethods(AgentService, deps),

    importApp: (request, { caller, revision, headers }) => {
      const mayWrite = importCondition(importedInto(request), headers, resources);
      return startOperation(
        deps,
        { name: method.importApp.name, revision },
        importedInto(request),
        ImportAppResponseSchema,
        () => resources.packages.importApp(request, authorOf(caller), mayWrite),
      );
    },
    exportApp: (request, { revision }) =>
      startOperation(deps, { name: method.exportApp.name, revision }, request.name, ExportAppResponseSchema, () =>
        resources.packages.exportApp(request),
      ),
    restoreAppVersion: (request, { caller, revision }) =>
      startOperation(
        deps,
        { name: method.restoreAppVersion.name, revision },
        request.name,
        RestoreAppVersionResponseSchema,
        async () => {
          await resources.restoreVersion(request.name, authorOf(caller));
          return {};
        },
      ),

    generateAppResource: markValidateOnly(
      async (request: GenerateAppResourceRequest, { validateOnly, caller, peer }: CallContext) => {
        if (!validateOnly) return generation.start(request, chargedModels({ caller, peer }, request.parent));
        await generation.check(request);
        return create(OperationSchema, { done: true });
      },
    ),

    getConversation: ({ name }) => conversations.get(name),
    listConversations: async (request, { signal }) => {
      await requireApp(request.parent, resources);
      return conversations.list(request, signal);
    },
    deleteConversation: async ({ name }) => {
      await conversations.remove(name);
      return {};
    },
    batchDeleteConversations: (request, { revision }) =>
      startOperation(
        deps,
        { name: method.batchDeleteConversations.name, revision },
        request.parent,
        BatchDeleteConversationsResponseSchema,
        () => conversations.removeMany(request.parent, request.conversations),
      ),
  });
}
