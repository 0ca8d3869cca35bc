import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import {
  type CreateDataAgentRequest,
  ListAccessibleDataAgentsRequest_CreatorFilter as CreatorFilter,
  DataAgentService,
  ListAccessibleDataAgentsRequestSchema,
  ListDataAgentsRequestSchema,
  type UpdateDataAgentRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import { DataAgentService as DataAgentServiceV1 } from "@frontdesk/protos/gda-v1/data_agent_service";
import { DataAgentService as DataAgentServiceV1Alpha } from "@frontdesk/protos/gda-v1alpha/data_agent_service";
import { PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import type { Access, PolicyBook, ResourcePolicies } from "#access";
import { locationOf, requestChecksum } from "#aip";
import type {
  Analytics,
  DataAgents,
  DataConnections,
  DataFiles,
  OwnData,
  RefreshSchedules,
  SharedAnswers,
} from "#analytics";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import type { LongRunningDeps } from "../long-running.ts";
import {
  deleteDataConnection,
  getDataConnection,
  listDataConnections,
  testDataConnection,
  updateDataConnection,
} from "./data-connections.ts";
import { deleteDataFile, getDataFile, listDataFiles, updateDataFile } from "./data-files.ts";
import { dataOperation } from "./data-operation.ts";
import { importSemanticModel } from "./import-semantic-model.ts";
import { requireReadableAgent } from "./own-data.ts";
import { createSharedAnswer, deleteSharedAnswer, openSharedAnswer } from "./shared-answers.ts";
import { verifyAnswer } from "./verify-answer.ts";

interface DataAgentServiceDeps extends LongRunningDeps {
  readonly agents: DataAgents;
  readonly files: DataFiles;
  readonly connections: DataConnections;
  readonly ownData: OwnData;
  readonly schedules: RefreshSchedules;
  readonly shared: SharedAnswers;
  readonly analytics: Analytics;
  readonly access: Access;
  readonly policyBook: PolicyBook;
  readonly policies: ResourcePolicies;
}

/** What the creator of an agent is given (CA-5). */
const OWNER_ROLE = "roles/geminidataanalytics.dataAgentOwner";

/** Data agents: `google.cloud.geminidataanalytics.v1beta.DataAgentService`. Operations are done when they are returned. */
export function createDataAgentService(deps: DataAgentServiceDeps): ServiceRegistration {
  const { agents, schedules, policyBook, policies } = deps;

  const createAgent = async (request: CreateDataAgentRequest, context: CallContext): Promise<DataAgent> => {
    const { principal } = context.caller;
    await requireReadableAgent(request.dataAgent, request.parent, context, deps);
    return agents.create(request, (name) =>
      principal === "" ? [] : [policyBook.toWrite(name, ownedBy(principal), principal)],
    );
  };
  const updateAgent = async (request: UpdateDataAgentRequest, context: CallContext): Promise<DataAgent> => {
    const location = locationOf(request.dataAgent?.name ?? "");
    await requireReadableAgent(request.dataAgent, location, context, deps);
    return agents.update(request);
  };
  const operation = (verb: string, { revision: apiVersion }: CallContext, done: DataAgent, deleted = false) =>
    dataOperation(deps, { verb, target: done.name, apiVersion }, deleted ? EmptySchema : DataAgentSchema, done);

  return defineService(DataAgentService, [DataAgentServiceV1, DataAgentServiceV1Alpha], {
    listDataAgents: async (request, context) => {
      const checksum = requestChecksum(ListDataAgentsRequestSchema, request);
      const page = await agents.list({ ...request, checksum, shown: visibleTo(request.parent, context, deps) });
      return { dataAgents: [...page.agents], nextPageToken: page.nextPageToken };
    },
    listAccessibleDataAgents: async (request, context) => {
      const checksum = requestChecksum(ListAccessibleDataAgentsRequestSchema, request);
      const shown = visibleTo(request.parent, context, deps, request.creatorFilter);
      const page = await agents.list({ ...request, checksum, shown });
      return { dataAgents: [...page.agents], nextPageToken: page.nextPageToken };
    },
    getDataAgent: ({ name }) => agents.get(name),
    createDataAgent: async (request, context) => operation("create", context, await createAgent(request, context)),
    createDataAgentSync: createAgent,
    updateDataAgent: async (request, context) => operation("update", context, await updateAgent(request, context)),
    updateDataAgentSync: updateAgent,
    deleteDataAgent: async (request, context) => operation("delete", context, await agents.remove(request), true),
    deleteDataAgentSync: async (request) => {
      await agents.remove(request);
      return {};
    },
    importSemanticModel: (request) => importSemanticModel(request, agents),
    verifyAnswer: (request, context) => verifyAnswer(request, context, deps),
    createDataFile: (request, context) => deps.files.create(request, context.caller.principal, context.signal),
    getDataFile: (request, context) => getDataFile(request, context, deps),
    listDataFiles: (request, context) => listDataFiles(request, context, deps),
    updateDataFile: (request, context) => updateDataFile(request, context, deps),
    deleteDataFile: (request, context) => deleteDataFile(request, context, deps),
    createDataConnection: (request, { caller }) => deps.connections.create(request, caller.principal),
    getDataConnection: (request, context) => getDataConnection(request, context, deps),
    listDataConnections: (request, context) => listDataConnections(request, context, deps),
    updateDataConnection: (request, context) => updateDataConnection(request, context, deps),
    deleteDataConnection: (request, context) => deleteDataConnection(request, context, deps),
    testDataConnection: (request, context) => testDataConnection(request, context, deps),
    createRefreshSchedule: (request, { caller }) => schedules.create(request, caller),
    getRefreshSchedule: ({ name }, { caller }) => schedules.get(name, caller),
    listRefreshSchedules: async (request, { caller }) => {
      const page = await schedules.list(request, caller);
      return { ...page, refreshSchedules: [...page.refreshSchedules] };
    },
    updateRefreshSchedule: (request, { caller }) => schedules.update(request, caller),
    deleteRefreshSchedule: async ({ name }) => {
      await schedules.remove(name);
      return {};
    },
    createSharedAnswer: (request, context) => createSharedAnswer(request, context, deps),
    getSharedAnswer: ({ name }) => deps.shared.get(name),
    listSharedAnswers: async (request) => {
      const page = await deps.shared.list(request);
      return { ...page, sharedAnswers: [...page.sharedAnswers] };
    },
    deleteSharedAnswer: (request, context) => deleteSharedAnswer(request, context, deps),
    openSharedAnswer: (request, context) => openSharedAnswer(request, context, deps),
    getIamPolicy: (request) => policies.get(request),
    setIamPolicy: (request, context) => policies.set(request, context),
  });
}

function ownedBy(principal: string) {
  return create(PolicySchema, { version: 1, bindings: [{ role: OWNER_ROLE, members: [principal] }] });
}

/** A filter of the agents that a caller may get: all, those that it created, or those that others created. */
function visibleTo(
  parent: string,
  context: CallContext,
  { access, policyBook }: Pick<DataAgentServiceDeps, "access" | "policyBook">,
  filter: CreatorFilter = CreatorFilter.NONE,
): (listed: readonly DataAgent[]) => Promise<readonly DataAgent[]> {
  const { principal } = context.caller;
  const matches = (name: string): boolean => {
    if (filter === CreatorFilter.NONE) return true;
    const isCreator = policyBook.read(name).creator === principal;
    return filter === CreatorFilter.CREATOR_ONLY ? isCreator : filter !== CreatorFilter.NOT_CREATOR_ONLY || !isCreator;
  };
  const shown = access.shown(context, "geminidataanalytics.dataAgents.get", parent);
  return async (listed) => {
    const matching = listed.filter(({ name }) => matches(name));
    if (!shown) return matching;
    const decisions = await Promise.all(matching.map(({ name }) => shown(name)));
    return matching.filter((_, index) => decisions[index]);
  };
}
