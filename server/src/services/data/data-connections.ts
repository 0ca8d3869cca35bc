import type {
  DeleteDataConnectionRequest,
  GetDataConnectionRequest,
  ListDataConnectionsRequest,
  TestDataConnectionRequest,
  UpdateDataConnectionRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import type { DataConnection } from "@frontdesk/protos/gda/data_connection";
import type { Access } from "#access";
import { locationOf } from "#aip";
import type { DataConnections } from "#analytics";
import type { CallContext } from "#rpc";
import { ownedItem, shownAgent, shownAgents, shownOwned } from "./own-data.ts";

interface DataConnectionDeps {
  readonly connections: DataConnections;
  readonly access: Access;
}

/** Databases that people connect: theirs, and those that a role gives them (CA-61). */
export async function getDataConnection(
  { name }: GetDataConnectionRequest,
  context: CallContext,
  deps: DataConnectionDeps,
): Promise<DataConnection> {
  const connection = await ownConnection(name, "name", "get", context, deps);
  connection.dataAgents = await shownAgents(connection.dataAgents, locationOf(name), context, deps.access);
  return connection;
}

/** The connections of a location that the caller may see. */
export async function listDataConnections(
  request: ListDataConnectionsRequest,
  context: CallContext,
  { connections, access }: DataConnectionDeps,
) {
  const isShown = shownOwned(`${connections.kind.permission}.list`, request.parent, context, access);
  const page = await connections.list(request, isShown);
  return { dataConnections: [...page.connections], nextPageToken: page.nextPageToken };
}

/** Changes a connection of the caller's own, or one that the caller may change. */
export async function updateDataConnection(
  request: UpdateDataConnectionRequest,
  context: CallContext,
  deps: DataConnectionDeps,
): Promise<DataConnection> {
  await ownConnection(request.dataConnection?.name ?? "", "data_connection.name", "update", context, deps);
  return deps.connections.update(request);
}

/** Deletes a connection. Unless forced, an agent that uses it keeps it; agents that the caller may not see are counted only. */
export async function deleteDataConnection(
  { name, force }: DeleteDataConnectionRequest,
  context: CallContext,
  deps: DataConnectionDeps,
) {
  await ownConnection(name, "name", "delete", context, deps);
  await deps.connections.remove(name, force, shownAgent(locationOf(name), context, deps.access));
  return {};
}

/** Reads how many tables a connection has now. */
export async function testDataConnection(
  { name }: TestDataConnectionRequest,
  context: CallContext,
  deps: DataConnectionDeps,
) {
  await ownConnection(name, "name", "get", context, deps);
  return { tableCount: await deps.connections.test(name) };
}

function ownConnection(
  name: string,
  field: string,
  verb: string,
  context: CallContext,
  { connections, access }: DataConnectionDeps,
): Promise<DataConnection> {
  const permission = `${connections.kind.permission}.${verb}`;
  const ownerOf = ({ creator }: DataConnection) => creator;
  return ownedItem(name, { permission, find: () => connections.get(name, field), ownerOf }, context, access);
}
