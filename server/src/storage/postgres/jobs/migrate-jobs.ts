import type { PgBoss } from "pg-boss";
import { StorageError } from "../../errors.ts";
import type { Connections } from "../connections.ts";
import { jobDatabase, QUIET } from "./job-database.ts";

/**
 * Makes or migrates the tables of pg-boss (DB-57), and returns the schema that they are in, as SQL. They have names such as `job` and `version`, so they get a schema of
 * their own, beside the other tables where this user may make none. Throws OLDER_SCHEMA when that is still to be done and `apply` is false. One of a later
 * release is fine: pg-boss works with it.
 */
export async function migrateJobs(
  connections: Connections,
  { place, apply }: { readonly place: string; readonly apply: boolean },
): Promise<JobTables> {
  const found = await look(connections);
  if (found.isCurrent) return { schema: found.schema, isNew: false };
  if (!apply)
    throw new StorageError(
      "OLDER_SCHEMA",
      `The database '${place}' lacks tables for jobs that this release needs: run 'frontdesk migrate' first.`,
    );
  if (found.missing !== undefined)
    throw new StorageError(
      "READ_ONLY",
      `The database '${place}' lets this user make no schema: run 'create schema ${found.missing} authorization' with its name, for the tables of jobs.`,
    );
  try {
    await start(found.boss);
  } catch (error) {
    // Servers that start at the same time make them at the same time, and one of them succeeds.
    if (!(await look(connections)).isCurrent) throw error;
  }
  return { schema: found.schema, isNew: true };
}

/** Where the tables of jobs are. */
interface JobTables {
  readonly schema: string;
  /** Whether they were made or migrated just now. */
  readonly isNew: boolean;
}

interface Found {
  readonly schema: string;
  readonly isCurrent: boolean;
  /** A schema that this user would need, and may not make. */
  readonly missing?: string;
  readonly boss: PgBoss;
}

async function look(connections: Connections): Promise<Found> {
  const { rows } = await connections.query<JobPlace>({ sql: PLACE, parameters: [] });
  // The statement returns one row.
  const [{ ours, theirs, fits, version_in_ours, version_in_theirs, exists, creates }] = rows as [JobPlace];
  const schema = version_in_ours || (fits && !(version_in_theirs || creates)) ? ours : theirs;
  // Loaded by servers over PostgreSQL alone.
  const { getMigrationPlans, PgBoss } = await import("pg-boss");
  const createSchema = schema === theirs && !exists;
  const boss = new PgBoss({ ...QUIET, db: jobDatabase(connections), schema, createSchema });
  const version = version_in_ours || version_in_theirs ? await boss.schemaVersion() : null;
  const isCurrent = version !== null && isCurrentOf(() => getMigrationPlans(schema, version));
  const isMissing = schema === theirs && version === null && !creates;
  return { schema, isCurrent, ...(isMissing && { missing: theirs }), boss };
}

async function start(boss: PgBoss): Promise<void> {
  // What fails while it starts is what it rejects with.
  boss.on("error", () => {});
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** It has no other word for a version that nothing is to be done to than that it knows no migration from it. */
function isCurrentOf(plans: () => string): boolean {
  try {
    plans();
    return false;
  } catch (error) {
    if (error instanceof Error && /not found/.test(error.message)) return true;
    throw error;
  }
}

interface JobPlace {
  /** The schema of the other tables, and the one for pg-boss alone, as SQL. */
  readonly ours: string;
  readonly theirs: string;
  /** Whether pg-boss takes the name of the first one. */
  readonly fits: boolean;
  readonly version_in_ours: boolean;
  readonly version_in_theirs: boolean;
  /** Whether the second one exists. */
  readonly exists: boolean;
  /** Whether this user may make tables in it, or may make it. */
  readonly creates: boolean;
}

/** What pg-boss takes no name with, and how many bytes of one, at most. */
const REFUSED = `'[[:cntrl:]"''%$.\\\\]'`;
const LONGEST = 50;

/** The name of the schema for pg-boss, as SQL. Each schema with tables of a server has one of its own, so two of them share no jobs. */
export const JOB_SCHEMA = `(case
  when current_schema() = 'public' then 'frontdesk_jobs'
  when octet_length(current_schema()) > ${LONGEST - "_jobs".length} or current_schema() ~ ${REFUSED} then 'frontdesk_jobs_' || md5(current_schema())
  else current_schema() || '_jobs' end)`;

const PLACE = `
with place as (select current_schema() as ours, ${JOB_SCHEMA} as theirs)
select format('"%s"', ours) as ours, format('"%s"', theirs) as theirs,
  octet_length(ours) <= ${LONGEST} and ours !~ ${REFUSED} as fits,
  to_regclass(format('%I.job_common', ours)) is not null as version_in_ours,
  to_regclass(format('%I.job_common', theirs)) is not null as version_in_theirs,
  to_regnamespace(quote_ident(theirs)) is not null as exists,
  coalesce(has_schema_privilege(to_regnamespace(quote_ident(theirs))::oid, 'create'), has_database_privilege(current_database(), 'create')) as creates
from place`;
