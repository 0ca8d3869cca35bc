import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type {
  CreateDataConnectionRequest,
  ListDataConnectionsRequest,
  UpdateDataConnectionRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import { ListDataConnectionsRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { type DataConnection, DataConnectionSchema } from "@frontdesk/protos/gda/data_connection";
import { requestChecksum } from "#aip";
import { type Clock, type Ids, type Logger, oneAtATime, type Sealer } from "#base";
import { failedPrecondition, invalidArgument, notFound, resourceExhausted } from "#status";
import type { ResourceStore } from "#storage";
import { type Connections, refusalOf, type Warehouse } from "#warehouse";
import { checkLocation } from "../agents/data-agent-name.ts";
import { PROFILE_TYPE, profileParent } from "../profiles/profile-store.ts";
import type { OwnDataKind } from "../sources/own-data.ts";
import { type AgentShown, onRemovedElsewhere, partsOf, readersOf, requireUnread } from "../sources/own-dataset.ts";
import { allRows, putRow, type ShownTo, shownPage } from "../sources/owned-rows.ts";
import { type Resealed, resealRows } from "../sources/reseal-rows.ts";
import { connectionProblem, withoutTables } from "./connection-problems.ts";
import {
  type ConnectionRow,
  fromConnectionRow,
  openPassword,
  resealedConnection,
  sealPassword,
  toConnectionRow,
  withoutPassword,
} from "./connection-rows.ts";
import {
  checkConnectionName,
  connectionOfTable,
  DATA_CONNECTION_TYPE,
  newConnectionName,
} from "./data-connection-name.ts";
import { checkConnection, engineOf, portOf, tlsModeOf } from "./validate-connection.ts";

/** Databases that people connected. No answer has a password. */
export interface DataConnections {
  /** Connects, counts the tables, and keeps it unless `validate_only` is set. INVALID_ARGUMENT names the field that is in the way. */
  create(request: CreateDataConnectionRequest, creator: string): Promise<DataConnection>;
  /** With the agents that read it. NOT_FOUND otherwise. */
  get(name: string, field?: string): Promise<DataConnection>;
  list(request: ListDataConnectionsRequest, isShown: ShownTo | undefined): Promise<DataConnectionPage>;
  /** Changes the name, or how to log in, after it has connected. The place of the database stays. */
  update(request: UpdateDataConnectionRequest): Promise<DataConnection>;
  /** Connects and counts the tables. Errors as of `create`. */
  test(name: string): Promise<number>;
  /** Removes it. FAILED_PRECONDITION where agents read it and `force` is not set; it names those that are shown. */
  remove(name: string, force: boolean, isShown: AgentShown): Promise<void>;
  /** Seals the passwords of all projects with the newest key. */
  reseal(): Promise<Resealed>;
  /** The datasets of a location that a caller is shown, ready to be asked for their tables. */
  datasets(location: string, isShown: ShownTo | undefined): Promise<readonly string[]>;
  /** The connections as data that contexts name. */
  readonly kind: OwnDataKind;
}

interface DataConnectionPage {
  readonly connections: readonly DataConnection[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

interface DataConnectionsDeps {
  readonly store: ResourceStore;
  readonly warehouse: Warehouse;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Connections of a project. */
const MAX_CONNECTIONS = 200;

/** Creates the connections over the store: each question reads its row, so that what another server changed holds here at once. */
export function createDataConnections(deps: DataConnectionsDeps): DataConnections {
  const { store, ids, sealer } = deps;
  const inTurn = oneAtATime();
  onRemovedElsewhere(deps, "dataConnections", (dataset) => deps.warehouse.connections?.remove(dataset));
  return {
    async create(request, creator) {
      const { connection, password } = await connected(deps, request, creator);
      return request.validateOnly ? connection : inTurn(() => keep(deps, request.parent, connection, password));
    },
    async get(name, field = "name") {
      const { connection } = await readRow(store, name, field);
      return create(DataConnectionSchema, { ...connection, dataAgents: await readersOf(store, name) });
    },
    async list(request, isShown) {
      const checksum = requestChecksum(ListDataConnectionsRequestSchema, request);
      const all = (await allRows(store, DATA_CONNECTION_TYPE, request.parent)).map(
        (row) => fromConnectionRow(row).connection,
      );
      const page = await shownPage(all, ({ creator }) => creator, { ...request, checksum }, isShown);
      return { connections: page.items, nextPageToken: page.nextPageToken };
    },
    async update(request) {
      const { dataConnection } = request;
      if (!dataConnection)
        throw invalidArgument({ field: "data_connection", description: "Required field is not set." });
      const row = await readRow(store, dataConnection.name, "data_connection.name");
      const changed = changedConnection(row.connection, dataConnection, request.updateMask?.paths ?? []);
      const password = changed.password || passwordOf(row, sealer);
      checkConnection(changed, true);
      const tableCount = await probe(connectionsOf(deps), changed, password);
      const updateTime = timestampFromMs(Math.floor(deps.clock.now()));
      const connection = create(DataConnectionSchema, { ...withoutPassword(changed), tableCount, updateTime });
      const sealed = sealPassword(connection.name, password, sealer);
      await putRow(store, toConnectionRow({ connection, sealed, etag: ids.uuid() }), row.etag);
      return connection;
    },
    async test(name) {
      const row = await readRow(store, name, "name");
      return probe(connectionsOf(deps), row.connection, passwordOf(row, sealer));
    },
    async remove(name, force, isShown) {
      await readRow(store, name, "name");
      if (!force) await requireUnread(store, name, "DATA_CONNECTION_IN_USE", isShown);
      const { project, dataset } = partsOf(name);
      // What was read of its values goes with it.
      const profiles = await allRows(store, PROFILE_TYPE, profileParent([project, dataset]));
      await store.write(
        [name, ...profiles.map((row) => row.name)].map((one) => ({ kind: "delete" as const, name: one })),
      );
      await deps.warehouse.connections?.remove(dataset);
    },
    reseal: () => {
      const everywhere = { type: DATA_CONNECTION_TYPE, parent: "projects/-/locations/-" };
      return resealRows(store, everywhere, (row) => resealedConnection(row, sealer));
    },
    async datasets(location, isShown) {
      const rows = (await allRows(store, DATA_CONNECTION_TYPE, location)).map(fromConnectionRow);
      const shown = await Promise.all(
        rows.map(({ connection: { name, creator } }) => isShown?.(name, creator) ?? true),
      );
      const own = rows.filter((_, at) => shown[at]);
      for (const row of own) await ready(row, deps);
      return own.map(({ connection }) => partsOf(connection.name).dataset);
    },
    kind: {
      nameOf: connectionOfTable,
      permission: "geminidataanalytics.dataConnections",
      ownerOf: async (name) => (await rowOf(store, name))?.connection.creator,
      async ready(name) {
        const row = await rowOf(store, name);
        if (row) await ready(row, deps);
        return row !== undefined;
      },
      unknown: unknownTable,
    },
  };
}

/** A connection that has been tried, with its password; it has no name yet. */
async function connected(
  deps: DataConnectionsDeps,
  { parent, dataConnection }: CreateDataConnectionRequest,
  creator: string,
): Promise<{ readonly connection: DataConnection; readonly password: string }> {
  if (!dataConnection) throw invalidArgument({ field: "data_connection", description: "Required field is not set." });
  checkLocation(parent, { wildcards: false });
  checkConnection(dataConnection, false);
  const warehouse = connectionsOf(deps);
  await requireRoom(deps.store, parent);
  const { password } = dataConnection;
  const tableCount = await probe(warehouse, dataConnection, password);
  const now = timestampFromMs(Math.floor(deps.clock.now()));
  const made = { name: "", creator, tableCount, createTime: now, updateTime: now, dataAgents: [] };
  const displayName = dataConnection.displayName.trim();
  return {
    connection: create(DataConnectionSchema, { ...withoutPassword(dataConnection), displayName, ...made }),
    password,
  };
}

async function keep(
  { store, ids, sealer }: DataConnectionsDeps,
  parent: string,
  given: DataConnection,
  password: string,
): Promise<DataConnection> {
  // Others may have been kept while this one was tried.
  await requireRoom(store, parent);
  const connection = create(DataConnectionSchema, { ...given, name: newConnectionName(parent, ids) });
  const sealed = sealPassword(connection.name, password, sealer);
  await putRow(store, toConnectionRow({ connection, sealed, etag: ids.uuid() }), "");
  return connection;
}

async function requireRoom(store: ResourceStore, parent: string): Promise<void> {
  const [, project] = parent.split("/");
  const stored = await allRows(store, DATA_CONNECTION_TYPE, `projects/${project}/locations/-`);
  if (stored.length < MAX_CONNECTIONS) return;
  throw resourceExhausted(`The project has ${stored.length} connected databases, which is the limit. Remove some.`, {
    reason: "DATA_CONNECTIONS_LIMIT",
  });
}

/** How many tables are shown. The host is asked for before anything is sent to it. */
async function probe(warehouse: Connections, connection: DataConnection, password: string): Promise<number> {
  const { host, schema } = connection;
  const refused = refusalOf(warehouse.hosts, host, portOf(connection));
  if (refused) throw invalidArgument({ field: "data_connection.host", description: `${refused.message}.` });
  const count = await warehouse
    .probe({ schema, address: () => addressOf(connection, password) })
    .catch((error: unknown) => {
      throw connectionProblem(error, connection);
    });
  if (count === 0) throw withoutTables(connection);
  return count;
}

/** Maps the dataset of a connection, as its row is now. */
async function ready(row: ConnectionRow, deps: DataConnectionsDeps): Promise<void> {
  const { connection, etag } = row;
  const { project, dataset } = partsOf(connection.name);
  const address = () => addressOf(connection, passwordOf(row, deps.sealer));
  const state = { version: etag, schema: connection.schema, address };
  await connectionsOf(deps).put([project, dataset], state);
}

function addressOf(connection: DataConnection, password: string) {
  const { host, database, warehouse, user, caCertificate: ca } = connection;
  const place = { engine: engineOf(connection), host, port: portOf(connection), database, warehouse };
  return { ...place, user, password, tls: tlsModeOf(connection), ca };
}

function passwordOf({ connection: { name }, sealed }: ConnectionRow, sealer: Sealer): string {
  try {
    return openPassword(name, sealed, sealer);
  } catch {
    throw failedPrecondition(
      `The password of '${name}' was sealed with another key; set data_connection.password again.`,
      {
        reason: "DATA_CONNECTION_SEALED",
        metadata: { name },
      },
    );
  }
}

const CHANGEABLE = ["display_name", "user", "password", "tls_mode", "ca_certificate"] as const;

function changedConnection(before: DataConnection, given: DataConnection, mask: readonly string[]): DataConnection {
  const after = clone(DataConnectionSchema, before);
  for (const path of mask.length > 0 ? mask : CHANGEABLE) {
    if (path === "display_name") after.displayName = given.displayName.trim();
    else if (path === "user") after.user = given.user;
    else if (path === "password") after.password = given.password;
    else if (path === "tls_mode") after.tlsMode = given.tlsMode;
    else if (path === "ca_certificate") after.caCertificate = given.caCertificate;
    else
      throw invalidArgument({
        field: "update_mask",
        description: `'${path}' cannot be changed; ${CHANGEABLE.join(", ")} can. A database at another place is another connection.`,
      });
  }
  return after;
}

async function readRow(store: ResourceStore, name: string, field: string): Promise<ConnectionRow> {
  checkConnectionName(name, field);
  const row = await rowOf(store, name);
  if (!row) throw notFound(name, DATA_CONNECTION_TYPE);
  return row;
}

async function rowOf(store: ResourceStore, name: string): Promise<ConnectionRow | undefined> {
  const row = await store.get(name);
  return row?.type === DATA_CONNECTION_TYPE ? fromConnectionRow(row) : undefined;
}

function connectionsOf({ warehouse }: DataConnectionsDeps): Connections {
  if (warehouse.connections) return warehouse.connections;
  throw failedPrecondition("This server connects no databases.", { reason: "DATA_CONNECTIONS_OFF" });
}

/** In the same words for connections that never were, were removed, or are of others. */
function unknownTable(table: string): Error {
  return failedPrecondition(
    `No connected database has the table ${table}. Connect the database again, or take the table out of the context.`,
    { reason: "DATA_CONNECTION_UNKNOWN", metadata: { table } },
  );
}
