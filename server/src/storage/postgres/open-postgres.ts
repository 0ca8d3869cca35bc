import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Logger, once } from "#base";
import { createAuditStore } from "../audit-store.ts";
import { type BlobPlace, createBlobStore } from "../blob-store.ts";
import type { Storage, StorageOptions } from "../contract.ts";
import { createConversationStore } from "../conversation-store.ts";
import { createCredentialStore } from "../credential-store.ts";
import type { Engine, Sharing, Statement, Step } from "../engine.ts";
import { createExportStore } from "../export-store.ts";
import { UNFINISHED_MOVE, unfinishedMove } from "../move/unfinished-move.ts";
import { createOperationStore } from "../operation-store.ts";
import { createResourceStore } from "../resource-store.ts";
import type { DatabaseOptions, Replica } from "../shared-contract.ts";
import { createShortLivedStore } from "../short-lived-store.ts";
import { createSpaceCheck } from "../space-check.ts";
import type { StoredTask } from "../tables.ts";
import { createTaskStore } from "../task-store.ts";
import { createTurnStarts } from "./begin-turns.ts";
import { createBlobTable, createKeyStore } from "./blobs.ts";
import { cacheLeasedHeads } from "./cache-leased-heads.ts";
import { openChanges } from "./changes.ts";
import { checkRights } from "./check-rights.ts";
import { type Connections, openConnections } from "./connections.ts";
import { migrateJobs } from "./jobs/migrate-jobs.ts";
import { createPgBossQueues } from "./jobs/pg-boss-queues.ts";
import { createLeases, type Leases } from "./leases.ts";
import { maintain } from "./maintenance.ts";
import { type Migrated, migrate } from "./migrate.ts";
import { createOutages } from "./outages.ts";
import { createOverloadDetector } from "./overload-detector.ts";
import { createPostgresEngine } from "./postgres-engine.ts";
import { type Heartbeat, startHeartbeat } from "./replicas.ts";
import { watchSilence } from "./silence.ts";
import { openStandbyReads } from "./standby-reads.ts";
import { takeSpace } from "./take-space.ts";
import { placeOf, toStorageError } from "./to-storage-error.ts";
import { WRITE_CHECK } from "./write-check.ts";

type Options = Omit<StorageOptions, "dataDir" | "database"> & { readonly database: DatabaseOptions };

/** What servers tell each other of queues with jobs that one has no room for. */
const JOBS = "jobs";

/** Milliseconds between two looks for what can be deleted. */
const MAINTENANCE_EVERY_MS = 30_000;

/**
 * Opens a database, migrates its schema, and enters this server among its replicas. Throws a `StorageError` that names the place. `blobsIn`: where blobs are,
 * given the table of blobs.
 */
export async function openPostgres(options: Options, blobsIn: (table: BlobPlace) => BlobPlace): Promise<Storage> {
  const place = placeOf(options.database.url);
  const connections = openConnections(options.database, options.logger);
  try {
    const apply = options.database.migrate ?? true;
    await migrate(connections, { place, apply });
    await checkRights(connections, place);
    const { schema: jobSchema } = await migrateJobs(connections, { place, apply });
    const parameters = [UNFINISHED_MOVE];
    const moved = await connections.query({ sql: "select 1 from server_keys where name = $1", parameters });
    if (moved.rows.length > 0) throw unfinishedMove(place);
    return await openStores(connections, { place, jobSchema }, options, blobsIn);
  } catch (error) {
    await connections.close();
    throw toStorageError(error, place);
  }
}

/** Migrates the schema, whatever the options say about the start. */
export async function migrateDatabase(
  database: DatabaseOptions,
  logger: Logger,
): Promise<Migrated & { readonly newJobTables: boolean }> {
  const place = placeOf(database.url);
  const connections = openConnections(database, logger);
  try {
    const migrated = await migrate(connections, { place, apply: true });
    const { isNew } = await migrateJobs(connections, { place, apply: true });
    return { ...migrated, newJobTables: isNew };
  } catch (error) {
    throw toStorageError(error, place);
  } finally {
    await connections.close();
  }
}

async function openStores(
  connections: Connections,
  { place, jobSchema }: { readonly place: string; readonly jobSchema: string },
  options: Options,
  blobsIn: (table: BlobPlace) => BlobPlace,
): Promise<Storage> {
  const { database, clock, logger, onCommit, onLateRead } = options;
  const id = `${randomUUID()}`;
  const detector = createOverloadDetector(logger);
  const space = createSpaceCheck(() => takeSpace(connections, place));
  const outages = createOutages({ place, logger, onFailure: space.note });
  const starts = await createTurnStarts(connections, id, detector);
  const changes = openChanges(starts, id);
  // One that other statements hold up would cost this server its leases.
  const beats = openConnections({ ...database, connections: 1 }, logger);
  const heartbeat = await startHeartbeat(beats, {
    ...{ id, name: database.replica ?? hostname(), place, clock, logger },
    ...{ beat: changes.refresh, onOtherState: changes.forget, detector, outages },
  }).catch(async (error: unknown) => {
    await beats.close();
    throw error;
  });
  const asking = openConnections({ ...database, connections: 1 }, logger);
  const stopWatch = watchSilence(asking, [connections, beats], { place, logger });
  const leases = createLeases(connections, { owner: id, starts, outages, detector, ...heartbeat });
  const sharing: Sharing = {
    owner: id,
    ...changes,
    refresh: () =>
      detector.ask(changes.refresh).catch((error: unknown) => {
        throw outages.refusal(error);
      }),
    forgetHead: leases.forget,
    adoptOperations: () => adoptOperations(id),
    adoptTasks: () => adoptTasks(id),
  };
  const reads = createPostgresEngine(connections, { place, outages, onCommit });
  const standbyReads = openStandbyReads(database, { clock, logger, onLateRead }, reads.late);
  const engine: Engine = { ...reads, late: standbyReads.late, sharing };
  const replica = createReplica(id, heartbeat, leases, engine);
  const jobs = createPgBossQueues({
    ...{ connections, schema: jobSchema, outages, logger },
    tell: (queue) => replica.tell(JOBS, queue),
    onTold: (listener) => replica.subscribe(JOBS, listener),
  });
  const stopMaintenance = repeatMaintenance(connections, replica, (error) =>
    outages.report(error, "the maintenance of the database failed"),
  );
  return {
    resources: createResourceStore(engine),
    conversations: { ...cacheLeasedHeads(createConversationStore(engine)), leases },
    operations: createOperationStore(engine),
    jobs,
    exports: createExportStore(engine),
    credentials: createCredentialStore(engine),
    audit: createAuditStore(engine),
    tasks: createTaskStore(engine),
    blobs: createBlobStore(engine, blobsIn(createBlobTable(engine))),
    keys: createKeyStore(engine),
    shortLived: createShortLivedStore(engine, clock),
    replica,
    check: async () => {
      await check(connections, heartbeat.fault, place, clock.now());
      await space.check();
    },
    close: once(async () => {
      await jobs.close();
      await stopMaintenance();
      await heartbeat.stop();
      await stopWatch();
      await beats.close();
      await standbyReads.close();
      await connections.close();
    }),
  };
}

function createReplica(
  id: string,
  { fault, announce }: Heartbeat,
  leases: Leases,
  { all, commit, sharing }: Engine,
): Replica {
  return {
    ...{ id, announce, clockFault: fault },
    tell: async (topic, body) => {
      if (sharing) await commit([sharing.announce([{ kind: "value", name: body, type: topic }])]);
    },
    subscribe: (topic, listener) =>
      sharing?.onChange((change) => {
        if (change?.kind === "value" && change.type === topic) listener(change.name);
      }),
    isAlive: async (server) => {
      const sql = "select 1 from replicas where id = $1 and until > clock_timestamp()";
      return (await all({ sql, parameters: [server] })).length > 0;
    },
    exclusively: async (name, work) => {
      const lease = await leases.tryAcquire(`work/${name}`);
      if (!lease) return false;
      try {
        await work();
      } finally {
        lease.release();
      }
      return true;
    },
  };
}

/** Operations whose owner has no living row are this server's from now on (DB-8). */
function adoptOperations(owner: string): Step {
  return {
    sql: `with orphans as materialized (
        select o.name from operations o where o.done = 0
          and not exists (select 1 from replicas r where r.id = o.owner and r.until > clock_timestamp())
        order by o.name for update of o skip locked
      )
      update operations o set owner = $1 from orphans where o.name = orphans.name`,
    parameters: [owner],
  };
}

/** The same for tasks of A2A clients. */
function adoptTasks(server: string): Statement<StoredTask> {
  return {
    sql: `with orphans as materialized (
        select t.id from a2a_tasks t where t.finished = 0
          and not exists (select 1 from replicas r where r.id = t.server and r.until > clock_timestamp())
        order by t.id for update of t skip locked
      )
      update a2a_tasks t set server = $1 from orphans where t.id = orphans.id returning t.*`,
    parameters: [server],
  };
}

async function check(
  connections: Connections,
  fault: () => Error | undefined,
  place: string,
  now: number,
): Promise<void> {
  const wrong = fault();
  if (wrong) throw wrong;
  await connections.query({ sql: WRITE_CHECK, parameters: [now] }, "read").catch((error: unknown) => {
    throw toStorageError(error, place);
  });
}

function repeatMaintenance(
  connections: Connections,
  { exclusively }: Replica,
  report: (error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = exclusively("maintenance", () => maintain(connections, stop.signal)).catch(report);
  }, MAINTENANCE_EVERY_MS).unref();
  return async () => {
    stop.abort();
    clearInterval(timer);
    await running;
  };
}
