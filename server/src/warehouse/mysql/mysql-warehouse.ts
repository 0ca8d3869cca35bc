import { definedFields } from "#base";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { describeTables, listTables } from "./catalog.ts";
import { readConnectionString } from "./connection-options.ts";
import { createMysqlPool } from "./connection-pool.ts";
import { MYSQL_DIALECT } from "./dialect.ts";
import { explainStatement, preparedColumns, readAll, readWhole } from "./run-query.ts";

const CATALOG_MS = 20_000;

/** Opens a MySQL or MariaDB database; the first connection is made for the first query. */
export function openMysql({ connectionString, gate }: OpenedMapping): RemoteEngine {
  const pool = createMysqlPool({ connectionString, ...definedFields({ gate }) });
  const catalog = (signal: AbortSignal) => ({ timeoutMs: CATALOG_MS, signal });
  return {
    dialect: MYSQL_DIALECT,
    get defaultSchema() {
      return readConnectionString(connectionString()).schema;
    },
    tables: (signal) => pool.transaction(catalog(signal), (session) => listTables((sql) => readAll(session, sql))),
    describe: (scope, signal) =>
      pool.transaction(catalog(signal), (session) => describeTables((sql) => readAll(session, sql), scope)),
    columns: (sql, signal) =>
      pool.transaction(catalog(signal), async (session) => ({ columns: await preparedColumns(session, sql) })),
    explain: (sql, { timeoutMs }, signal) =>
      pool.transaction({ timeoutMs, signal }, async (session) => ({ plan: await explainStatement(session, sql) })),
    run: async (sql, limits, signal) => {
      const startedAt = performance.now();
      const { timeoutMs, maxRows } = limits;
      const found = await pool.transaction({ timeoutMs, signal, maxRows }, (session) =>
        readWhole(session, sql, limits),
      );
      return { ...found, durationMs: performance.now() - startedAt };
    },
    close: () => pool.close(),
  };
}
