import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import {
  type CreateDataAgentRequest,
  ListAccessibleDataAgentsRequest_CreatorFilter as CreatorFilter,
  DataAgentService,
  type DeleteDataAgentRequest,
  ListAccessibleDataAgentsRequestSchema,
  ListDataAgentsRequestSchema,
  type UpdateDataAgentRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import { DataAgentService as DataAgentServiceV1 } from "@frontdesk/protos/gda-v1/data_agent_service";
import { DataAgentService as DataAgentServiceV1Alpha } from "@frontdesk/protos/gda-v1alpha/data_agent_service";
import { requestChecksum } from "#aip";
import type { DataAgents } from "#analytics";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";
import type { DataCaller, DataCallers } from "./data-callers.ts";
import { dataOperation } from "./data-operation.ts";
import type { LongRunningDeps } from "./long-running.ts";

interface DataAgentServiceDeps extends LongRunningDeps {
  readonly agents: DataAgents;
  readonly callers: DataCallers;
}

/** Data agents: `google.cloud.geminidataanalytics.v1beta.DataAgentService`. Operations are done when they are returned. */
export function createDataAgentService(deps: DataAgentServiceDeps): ServiceRegistration {
  const { agents, callers } = deps;

  const createAgent = async (request: CreateDataAgentRequest, context: CallContext): Promise<DataAgent> => {
    const caller = callers.of(context);
    caller.require("dataAgents.create", request.parent);
    return agents.create(request, caller.principal);
  };
  const updateAgent = async (request: UpdateDataAgentRequest, context: CallContext): Promise<DataAgent> => {
    const name = request.dataAgent?.name ?? "";
    await require("dataAgents.update", name, context);
    return agents.update(request);
  };
  const deleteAgent = async (request: DeleteDataAgentRequest, context: CallContext): Promise<DataAgent> => {
    await require("dataAgents.delete", request.name, context);
    return agents.remove(request);
  };
  const require = async (
    permission: Parameters<ReturnType<DataCallers["of"]>["require"]>[0],
    name: string,
    context: CallContext,
  ): Promise<void> => {
    const caller = callers.of(context);
    if (!callers.known) return;
    caller.require(permission, name, await agents.access(name));
  };
  const operation = (verb: string, context: CallContext, done: DataAgent, deleted = false) =>
    dataOperation(
      deps,
      { verb, target: done.name, apiVersion: context.revision },
      deleted ? EmptySchema : DataAgentSchema,
      done,
    );

  return defineService(DataAgentService, [DataAgentServiceV1, DataAgentServiceV1Alpha], {
    listDataAgents: async (request, context) => {
      const caller = callers.of(context);
      const checksum = requestChecksum(ListDataAgentsRequestSchema, request);
      const shown = visibleTo(caller, callers, agents);
      const page = await agents.list({ ...request, checksum, shown });
      return { dataAgents: [...page.agents], nextPageToken: page.nextPageToken };
    },
    listAccessibleDataAgents: async (request, context) => {
      const caller = callers.of(context);
      const checksum = requestChecksum(ListAccessibleDataAgentsRequestSchema, request);
      const shown = visibleTo(caller, callers, agents, request.creatorFilter);
      const page = await agents.list({ ...request, checksum, shown });
      return { dataAgents: [...page.agents], nextPageToken: page.nextPageToken };
    },
    getDataAgent: async ({ name }, context) => {
      await require("dataAgents.get", name, context);
      return agents.get(name);
    },
    createDataAgent: async (request, context) => operation("create", context, await createAgent(request, context)),
    createDataAgentSync: createAgent,
    updateDataAgent: async (request, context) => operation("update", context, await updateAgent(request, context)),
    updateDataAgentSync: updateAgent,
    deleteDataAgent: async (request, context) =>
      operation("delete", context, await deleteAgent(request, context), true),
    deleteDataAgentSync: async (request, context) => {
      await deleteAgent(request, context);
      return {};
    },
    getIamPolicy: async ({ resource }, context) => {
      await require("dataAgents.getIamPolicy", resource, context);
      const { policy, etag } = await agents.access(resource);
      return { ...policy, etag: Buffer.from(etag) };
    },
    setIamPolicy: async ({ resource, policy }, context) => {
      if (!policy) throw invalidArgument({ field: "policy", description: "Required field is not set." });
      await require("dataAgents.setIamPolicy", resource, context);
      return agents.setPolicy(resource, policy);
    },
  });
}

/** A filter of the agents that a caller may get: all, those that it created, or those that others created. */
function visibleTo(
  caller: DataCaller,
  { known }: Pick<DataCallers, "known">,
  agents: Pick<DataAgents, "access">,
  filter: CreatorFilter = CreatorFilter.NONE,
): (listed: readonly DataAgent[]) => Promise<readonly DataAgent[]> {
  const matches = (creator: string): boolean => {
    if (filter === CreatorFilter.CREATOR_ONLY) return creator === caller.principal;
    return filter !== CreatorFilter.NOT_CREATOR_ONLY || creator !== caller.principal;
  };
  return async (listed) => {
    if (!known && matches(caller.principal)) return listed;
    const accesses = await Promise.all(listed.map(({ name }) => agents.access(name)));
    return listed.filter((_, index) => {
      const access = accesses[index];
      return access !== undefined && matches(access.creator) && caller.may("dataAgents.get", access);
    });
  };
}
