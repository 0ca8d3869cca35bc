import type { Clock, Logger } from "#base";
import { StorageError } from "../errors.ts";
import { UNFINISHED_MOVE, unfinishedMove } from "../move/unfinished-move.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { checkRights } from "./check-rights.ts";
import { clockFault } from "./clock-fault.ts";
import { type Connections, openConnections } from "./connections.ts";
import { migrateJobs } from "./jobs/migrate-jobs.ts";
import { migrate } from "./migrate.ts";
import { placeOf, toStorageError } from "./to-storage-error.ts";
import { WRITE_CHECK } from "./write-check.ts";

/**
 * Looks whether a server could use the database: its schema, the rights of this user, whether it takes writes and is whole, and the clocks (DB-21). Changes nothing, and returns the version of the schema.
 * Throws a `StorageError`, OLDER_SCHEMA for a database that is still to be migrated and that this user may migrate.
 */
export async function checkDatabase(database: DatabaseOptions, logger: Logger, clock: Clock): Promise<number> {
  const place = placeOf(database.url);
  const connections = openConnections(database, logger);
  try {
    const { to } = await migrate(connections, { place, apply: false }).catch((error: unknown) =>
      failOlder(error, connections, place),
    );
    await checkRights(connections, place);
    await migrateJobs(connections, { place, apply: false }).catch((error: unknown) =>
      failOlder(error, connections, place),
    );
    await tryWrite(connections);
    const moved = await connections.query({ sql: MOVED, parameters: [UNFINISHED_MOVE] });
    if (moved.rows.length > 0) throw unfinishedMove(place);
    await compareClocks(connections, place, clock);
    return to;
  } catch (error) {
    throw toStorageError(error, place);
  } finally {
    await connections.close();
  }
}

/** Throws the error, unless a migration would fail: then throws why. */
async function failOlder(error: unknown, connections: Connections, place: string): Promise<never> {
  if (!(error instanceof StorageError) || error.reason !== "OLDER_SCHEMA") throw error;
  const { rows } = await connections.query<MigrationRights>({ sql: MIGRATION_RIGHTS, parameters: [] });
  // The statement returns one row.
  const [{ writes, creates, foreign }] = rows as [MigrationRights];
  if (!writes) throw new StorageError("READ_ONLY", `The database '${place}' takes no writes: ${PRIMARY}`);
  if (!creates)
    throw new StorageError("READ_ONLY", `The database '${place}' does not let this user create tables: ${GRANT}`);
  if (foreign !== null)
    throw new StorageError(
      "READ_ONLY",
      `The database '${place}' does not let this user change the table '${foreign}': make it the owner of the tables.`,
    );
  throw error;
}

const PRIMARY = "it is a standby or read-only; use the address of the primary.";
const GRANT = "grant it CREATE on the schema, or make it the owner of the database.";

interface MigrationRights {
  readonly writes: boolean;
  readonly creates: boolean;
  /** A table of the schema whose owner this user is not. */
  readonly foreign: string | null;
}

const MIGRATION_RIGHTS = `
select current_setting('transaction_read_only') = 'off' as writes,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
  (select min(t.relname) from pg_class t join pg_class v on v.oid = to_regclass('schema_version')
    where t.relnamespace = v.relnamespace and t.relowner = v.relowner and t.relkind = 'r' and not pg_has_role(t.relowner, 'usage')) as foreign`;

const MOVED = "select 1 from server_keys where name = $1";

/** Throws when the clock of this machine is wrong (DB-9): the server would start, and run no turns. */
async function compareClocks(connections: Connections, place: string, clock: Clock): Promise<void> {
  const sent = clock.now();
  const sql = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now";
  const { rows } = await connections.query<{ now: number }>({ sql, parameters: [] });
  const [{ now } = { now: sent }] = rows;
  const wrong = clockFault({ sent, received: clock.now(), database: now }, place);
  if (wrong) throw wrong;
}

/** Writes what the check of a running server does, and takes it back. */
function tryWrite(connections: Connections): Promise<void> {
  return connections.borrow(async (client) => {
    await client.query("begin");
    await client.query(WRITE_CHECK, [0]);
    await client.query("rollback");
  });
}
