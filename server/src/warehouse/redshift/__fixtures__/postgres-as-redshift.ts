import { startPostgres } from "#testing";

/** Redshift's views of its catalog, as far as they are read. */
const VIEWS = `
  SET allow_system_table_mods = on;
  CREATE VIEW pg_catalog.svv_tables AS SELECT table_catalog::text, table_schema::text, table_name::text FROM information_schema.tables;
  CREATE VIEW pg_catalog.svv_columns AS SELECT table_catalog::text, table_schema::text, table_name::text, column_name::text, ordinal_position::int, data_type::text,
    is_nullable::text, col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position) AS remarks FROM information_schema.columns;
  GRANT SELECT ON pg_catalog.svv_tables, pg_catalog.svv_columns TO public;`;

/** A stand-in for Redshift: a real PostgreSQL, which has the same wire, transactions and cancellation, with views of the names that Redshift's catalog has. */
export async function startPostgresAsRedshift(tables: string) {
  const server = await startPostgres();
  const { default: pg } = await import("pg");
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  await owner.query(`${VIEWS} ${tables}`);
  return {
    connectionString: server.url.replace(/^postgres(ql)?:/, "redshift:"),
    /** Statements that run now, beside this one. */
    running: async () => {
      const { rows } = await owner.query(
        "SELECT query FROM pg_stat_activity WHERE state = 'active' AND application_name = 'frontdesk'",
      );
      return rows.map(({ query }) => String(query));
    },
    stop: async () => {
      await owner.end();
      await server.stop();
    },
  };
}
