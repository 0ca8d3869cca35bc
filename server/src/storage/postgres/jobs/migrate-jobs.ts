import { StorageError } from "../../errors.ts";
import type { Connections } from "../connections.ts";
import { jobDatabase, QUIET } from "./job-database.ts";

/**
 * Makes or migrates the tables of pg-boss (DB-57), and returns the schema that they are in. They have names such as `job` and `version`, so they get a schema of
 * their own, beside the other tables where this user may make none. Throws OLDER_SCHEMA when that is still to be done and `apply` is false. One of a later
 * release is fine: pg-boss works with it.
 */
export async function migrateJobs(
  connections: Connections,
  { place, apply }: { readonly place: string; readonly apply: boolean },
): Promise<string> {
  const { rows } = await connections.query<JobPlace>({ sql: PLACE, parameters: [] });
  // The statement returns one row.
  const [{ ours, theirs, version_in_ours, version_in_theirs, creates }] = rows as [JobPlace];
  const schema = version_in_ours || !(version_in_theirs || creates) ? ours : theirs;
  // Loaded by servers over PostgreSQL alone.
  const { getMigrationPlans, PgBoss } = await import("pg-boss");
  const boss = new PgBoss({ ...QUIET, db: jobDatabase(connections), schema });
  const version = version_in_ours || version_in_theirs ? await boss.schemaVersion() : null;
  if (version !== null && isCurrent(() => getMigrationPlans(schema, version))) return schema;
  if (!apply)
    throw new StorageError(
      "OLDER_SCHEMA",
      `The database '${place}' lacks tables for jobs that this release needs: run 'frontdesk migrate' first.`,
    );
  // What fails while it starts is what it rejects with.
  boss.on("error", () => {});
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
  return schema;
}

/** It has no other word for a version that nothing is to be done to than that it knows no migration from it. */
function isCurrent(plans: () => string): boolean {
  try {
    plans();
    return false;
  } catch (error) {
    if (error instanceof Error && /not found/.test(error.message)) return true;
    throw error;
  }
}

interface JobPlace {
  /** The schema of the other tables, and the one for pg-boss alone. */
  readonly ours: string;
  readonly theirs: string;
  readonly version_in_ours: boolean;
  readonly version_in_theirs: boolean;
  /** Whether the second one exists, and this user may make tables in it, or whether they may make it. */
  readonly creates: boolean;
}

/** The schema for pg-boss, as SQL. Each schema with tables of a server has one of its own, so two of them share no jobs. */
export const JOB_SCHEMA =
  "(case current_schema() when 'public' then 'frontdesk_jobs' else current_schema() || '_jobs' end)";

const PLACE = `
with place as (select current_schema() as ours, ${JOB_SCHEMA} as theirs)
select ours, theirs, to_regclass(format('%I.job_common', ours)) is not null as version_in_ours,
  to_regclass(format('%I.job_common', theirs)) is not null as version_in_theirs,
  coalesce(has_schema_privilege(to_regnamespace(quote_ident(theirs))::oid, 'create'), has_database_privilege(current_database(), 'create')) as creates
from place`;
