import { create, toBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ExampleQuery } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import {
  type CreateDataAgentRequest,
  CreateDataAgentRequestSchema,
  type DeleteDataAgentRequest,
  DeleteDataAgentRequestSchema,
  type UpdateDataAgentRequest,
  UpdateDataAgentRequestSchema,
} from "@frontdesk/protos/gda/data_agent_service";
import { deepCopy, locationOf } from "#aip";
import type { Clock, Ids } from "#base";
import { alreadyExists, notFound } from "#status";
import { type ResourceStore, type ResourceWrite, StaleEtagError } from "#storage";
import { afterBoardChange } from "../schedules/board-changes.ts";
import {
  clientAgent,
  EXAMPLE_PATHS,
  markDeleted,
  rejectInvalidAgent,
  rejectStaleAgent,
  updatedAgent,
  withExample,
} from "./agent-changes.ts";
import { fromAgentRow, toAgentRow } from "./agent-rows.ts";
import { checkAgentName, DATA_AGENT_TYPE, newAgentName } from "./data-agent-name.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import { type AgentList, type AgentPage, listAgents } from "./list-agents.ts";

/** Stores data agents. */
export interface DataAgents {
  /** `alsoWrite`: what is written for a new agent, by its name, in the same transaction. Default nothing. */
  create(request: CreateDataAgentRequest, alsoWrite?: (name: string) => readonly ResourceWrite[]): Promise<DataAgent>;
  /** Also returns deleted agents, until they are purged; NOT_FOUND otherwise. `field`: the request field of the name, for errors. Default `name`. */
  get(name: string, field?: string): Promise<DataAgent>;
  list(list: AgentList): Promise<AgentPage>;
  update(request: UpdateDataAgentRequest): Promise<DataAgent>;
  /** Adds an example query to the contexts that the agent has; it replaces one for the same question. */
  addExample(name: string, example: ExampleQuery): Promise<DataAgent>;
  /** Sets the semantic model of an agent, as the text of a model file. */
  setSemanticModel(name: string, text: string): Promise<DataAgent>;
  /** Marks as deleted; the agent is purged later. */
  remove(request: DeleteDataAgentRequest): Promise<DataAgent>;
}

interface DataAgentsDeps {
  readonly store: ResourceStore;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Creates the agents over the store. */
export function createDataAgents(deps: DataAgentsDeps): DataAgents {
  const { store, idempotency, clock } = deps;
  const { read, change } = createAgentRecords(deps);
  const now = () => timestampFromMs(Math.floor(clock.now()));
  return {
    create: (request, alsoWrite = () => []) => createAgent(deps, request, alsoWrite, now()),
    get: (name, field = "name") => read(name, field),
    list: (list) => listAgents(store, list),
    update: (request) => {
      const { dataAgent, updateMask, requestId } = request;
      const incoming = clientAgent(dataAgent);
      const content = toBinary(UpdateDataAgentRequestSchema, request);
      return idempotency.runOnce(idempotentRequest(locationOf(incoming.name), requestId, content), (remember) =>
        change(
          incoming.name,
          "data_agent.name",
          (stored) => {
            rejectStaleAgent(stored, incoming);
            return updatedAgent(stored, incoming, updateMask?.paths ?? [], now());
          },
          async (after, before) => [...remember(after), ...(await afterBoardChange(deps, before, after))],
        ),
      );
    },
    addExample: (name, example) =>
      change(
        name,
        "name",
        (stored) => updatedAgent(stored, withExample(stored, example), EXAMPLE_PATHS, now()),
        () => [],
      ),
    setSemanticModel: (name, semanticModel) =>
      change(
        name,
        "name",
        (stored) => updatedAgent(stored, create(DataAgentSchema, { semanticModel }), ["semantic_model"], now()),
        () => [],
      ),
    remove: (request) => {
      const content = toBinary(DeleteDataAgentRequestSchema, request);
      return idempotency.runOnce(idempotentRequest(locationOf(request.name), request.requestId, content), (remember) =>
        change(request.name, "name", (stored) => markDeleted(stored, Math.floor(clock.now())), remember),
      );
    },
  };
}

/** Reads and changes the rows of agents. */
function createAgentRecords({ store, ids }: DataAgentsDeps) {
  async function read(name: string, field: string) {
    checkAgentName(name, field);
    const row = await store.get(name);
    if (row?.type !== DATA_AGENT_TYPE) throw notFound(name, DATA_AGENT_TYPE);
    return fromAgentRow(row);
  }

  /** Writes a change of a stored agent with what belongs to it; reads it again after a concurrent change. */
  async function change(
    name: string,
    field: string,
    next: (agent: DataAgent) => DataAgent | Promise<DataAgent>,
    alsoWrite: (after: DataAgent, before: DataAgent) => readonly ResourceWrite[] | Promise<readonly ResourceWrite[]>,
  ): Promise<DataAgent> {
    for (;;) {
      const agent = await read(name, field);
      const after = deepCopy(await next(agent));
      after.etag = ids.uuid();
      try {
        const row = toAgentRow(after, after.etag);
        await store.write([{ kind: "put", row, ifEtag: agent.etag }, ...(await alsoWrite(after, agent))]);
        return after;
      } catch (error) {
        if (!(error instanceof StaleEtagError)) throw error;
      }
    }
  }

  return { read, change };
}

function createAgent(
  { store, idempotency, ids }: DataAgentsDeps,
  request: CreateDataAgentRequest,
  alsoWrite: (name: string) => readonly ResourceWrite[],
  time: Timestamp,
): Promise<DataAgent> {
  const content = toBinary(CreateDataAgentRequestSchema, request);
  return idempotency.runOnce(idempotentRequest(request.parent, request.requestId, content), async (remember) => {
    const name = newAgentName(request.parent, request.dataAgentId || `agent_${ids.uuid()}`);
    const agent = clientAgent(request.dataAgent);
    await rejectInvalidAgent(agent);
    agent.name = name;
    agent.createTime = time;
    agent.updateTime = time;
    agent.etag = ids.uuid();
    const writes: readonly ResourceWrite[] = [
      { kind: "put", row: toAgentRow(agent, agent.etag), ifEtag: "" },
      ...alsoWrite(agent.name),
      ...remember(agent),
    ];
    await store.write(writes).catch((error: unknown) => {
      throw error instanceof StaleEtagError ? alreadyExists(agent.name, DATA_AGENT_TYPE) : error;
    });
    return agent;
  });
}

function idempotentRequest(parent: string, requestId: string, content: Uint8Array) {
  return { parent, requestId, content, response: DataAgentSchema };
}
