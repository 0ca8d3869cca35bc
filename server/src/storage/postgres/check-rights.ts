import { StorageError } from "../errors.ts";
import type { Connections } from "./connections.ts";
import { JOB_SCHEMA } from "./jobs/migrate-jobs.ts";

/**
 * Throws READ_ONLY when this user may not read and write each table of the schema. Without it a server without the rights on one table would start, be ready, and
 * refuse what needs that table. Rows of the audit log are never changed, so that right is not asked for.
 */
export async function checkRights(connections: Connections, place: string): Promise<void> {
  const { rows } = await connections.query<{ name: string }>({ sql: LACKING, parameters: [] });
  const [lacking] = rows;
  if (!lacking) return;
  const tables = rows.length > 1 ? `'${lacking.name}' and ${rows.length - 1} other tables` : `'${lacking.name}'`;
  throw new StorageError(
    "READ_ONLY",
    `The database '${place}' does not let this user read and write ${tables}: grant it all on the tables, or make it their owner.`,
  );
}

/** The tables of whoever made the version of the schema, which only migrations write, and those of jobs. A table in a schema that this user may not use is as good as none. */
const LACKING = `
select case when t.relnamespace = v.relnamespace then t.relname else format('%s.%s', t.relnamespace::regnamespace, t.relname) end as name
from pg_class t join pg_class v on v.oid = to_regclass('schema_version')
where t.relnamespace in (v.relnamespace, to_regnamespace(quote_ident(${JOB_SCHEMA}))) and t.relowner = v.relowner and t.relkind = 'r' and t.oid <> v.oid
  and not (has_schema_privilege(t.relnamespace, 'usage') and has_table_privilege(t.oid, 'select') and has_table_privilege(t.oid, 'insert')
    and has_table_privilege(t.oid, 'delete') and (has_table_privilege(t.oid, 'update') or t.relname = 'audit'))
order by t.relnamespace <> v.relnamespace, t.relname`;
