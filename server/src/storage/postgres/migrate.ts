import type { PoolClient } from "pg";
import { StorageError } from "../errors.ts";
import type { Connections } from "./connections.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import { isConflict } from "./to-storage-error.ts";

interface MigrateOptions {
  /** For messages. */
  readonly place: string;
  /** Whether pending migrations are applied. */
  readonly apply: boolean;
  /** Default: those of this release. */
  readonly migrations?: readonly Migration[];
}

/** What `migrate` found and left. */
export interface Migrated {
  /** Version of the schema before, 0 for an empty database; and now. */
  readonly from: number;
  readonly to: number;
}

/** The oldest PostgreSQL with `xid8`. */
const OLDEST_SERVER = 130_000;
/** Any number that no other program locks. */
const LOCK = 7_305_519;
/** Times that a migration is begun, at most, because turns of servers that run held what it waited for and waited for what it held. */
const ATTEMPTS = 10;

/**
 * Migrates the schema to the version of this program, in one transaction that excludes other servers (DB-2). The lock ends with the transaction, so it
 * works behind a pooler; one that deadlocks with turns is begun again. A schema of a newer release is fine as long as that release says so, else NEWER_SCHEMA; an older one without `apply` is
 * OLDER_SCHEMA.
 */
export async function migrate(connections: Connections, options: MigrateOptions): Promise<Migrated> {
  const { apply, migrations = MIGRATIONS } = options;
  const found = await connections.borrow((client) => readVersion(client, options.place));
  checkVersion(found, options, migrations.length);
  if (found.version >= migrations.length) return { from: found.version, to: found.version };
  if (!apply) throw olderSchema(options.place, found.version, migrations.length);
  for (let attempt = 1; ; attempt++) {
    try {
      return await connections.borrow((client) => inTransaction(client, () => applyAll(client, options, migrations)));
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

const FACTS = `
select current_setting('server_version_num')::int as server, current_setting('server_encoding') as encoding,
  to_regclass('schema_version') is not null as known`;

interface Version {
  readonly version: number;
  /** The oldest version whose release works with the schema. */
  readonly oldest: number;
}

async function readVersion(client: PoolClient, place: string): Promise<Version> {
  const { rows } = await client.query(FACTS);
  const { server, encoding, known } = rows[0] as { server: number; encoding: string; known: boolean };
  if (server < OLDEST_SERVER)
    throw new StorageError("FAILED", `The database '${place}' is PostgreSQL ${server}; use 13 or newer.`);
  if (encoding !== "UTF8")
    throw new StorageError(
      "FAILED",
      `The database '${place}' has the encoding ${encoding}, which not all texts can be stored in: use one with the encoding UTF8.`,
    );
  if (!known) return { version: 0, oldest: 0 };
  const { rows: versions } = await client.query(
    "select version, oldest from schema_version order by version desc limit 1",
  );
  return (versions[0] as Version | undefined) ?? { version: 0, oldest: 0 };
}

function checkVersion({ version, oldest }: Version, { place }: MigrateOptions, known: number): void {
  if (oldest <= known) return;
  throw new StorageError(
    "NEWER_SCHEMA",
    `The database '${place}' has schema version ${version}, which releases that know only version ${known} cannot use: start the release that migrated it, or a newer one.`,
  );
}

function olderSchema(place: string, found: number, known: number): StorageError {
  return new StorageError(
    "OLDER_SCHEMA",
    `The database '${place}' has schema version ${found}, and this release needs ${known}: run 'frontdesk migrate' first.`,
  );
}

/** Time limits that an administrator may have set for statements and transactions, of those that this server knows: tables may have any size. They hold again afterwards. */
const WITHOUT_LIMITS = `
select set_config(name, '0', true) from pg_settings
where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
/** The longest that a timer waits, 24 days: the limit of other statements is for those that take milliseconds. */
const UNTIMED = { query_timeout: 2 ** 31 - 1 };

/** Another server may have migrated while this one waited for the lock. */
async function applyAll(
  client: PoolClient,
  options: MigrateOptions,
  migrations: readonly Migration[],
): Promise<Migrated> {
  await client.query(WITHOUT_LIMITS);
  await client.query({ text: "select pg_advisory_xact_lock($1)", values: [LOCK], ...UNTIMED });
  await client.query(
    "create table if not exists schema_version (version integer primary key, oldest integer not null, applied_time timestamptz not null default now())",
  );
  const { version, oldest } = await readVersion(client, options.place);
  checkVersion({ version, oldest }, options, migrations.length);
  for (const [at, { sql, oldest: supported }] of migrations.entries()) {
    if (at < version) continue;
    await client.query({ text: sql, ...UNTIMED });
    await client.query("insert into schema_version (version, oldest) values ($1, $2)", [at + 1, supported]);
  }
  return { from: version, to: Math.max(version, migrations.length) };
}

/** Runs a statement that takes as long as it takes, whatever limits the database sets. */
export function runUntimed(connections: Connections, sql: string): Promise<void> {
  return connections.borrow((client) =>
    inTransaction(client, async () => {
      await client.query(WITHOUT_LIMITS);
      await client.query({ text: sql, ...UNTIMED });
    }),
  );
}

async function inTransaction<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
