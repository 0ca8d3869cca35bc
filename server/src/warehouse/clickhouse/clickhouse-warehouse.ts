import type { TableSchema } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import { withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine, ScopedTable } from "../remote/contract.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import { readHttpAddress } from "../remote/http/http-client.ts";
import { planLines, type ReadCatalog, statementsBy } from "../remote/statement-client.ts";
import { createClickHouseClient } from "./clickhouse-client.ts";
import { CLICKHOUSE_DIALECT } from "./dialect.ts";
import { toColumn } from "./wire-types.ts";

/** Opens a ClickHouse server by its HTTP interface. */
export function openClickHouse(mapping: OpenedMapping): RemoteEngine {
  const address = () => readHttpAddress(mapping, "https://user:password@host:8443/database");
  const client = createClickHouseClient(address);
  const { read, ...statements } = statementsBy(client);
  return {
    ...statements,
    dialect: CLICKHOUSE_DIALECT,
    get defaultSchema() {
      return address().path[0];
    },
    async tables(signal) {
      const sql = `SELECT database, name FROM system.tables WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') AND NOT is_temporary ORDER BY 1, 2`;
      return foundTables(await read(sql, signal));
    },
    describe: (scope, signal) => describeTables(read, scope, signal),
    async columns(sql, signal) {
      const rows = await read(`DESCRIBE TABLE (${sql})`, signal);
      return { columns: withDistinctNames(rows.map(([name, type]) => toColumn(String(name), String(type)))) };
    },
    explain: (sql, limits, signal) => planLines(client, `EXPLAIN PLAN ${sql}`, limits, signal),
  };
}

/** Columns, comments and row counts. The primary key of ClickHouse orders rows and may repeat, so it is no key here. */
async function describeTables(
  read: ReadCatalog,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const list = schemaList(scope, CLICKHOUSE_DIALECT.quoteText);
  const tables = await read(
    `SELECT database, name, comment, total_rows FROM system.tables WHERE database IN (${list})`,
    signal,
  );
  const columns = await read(
    `SELECT database, table, name, type, comment FROM system.columns WHERE database IN (${list}) ORDER BY database, table, position`,
    signal,
  );
  return describedTables(scope, {
    tables: tables.map(([schema, table, comment, rowCount]) => ({ schema, table, comment, rowCount })),
    columns: columns.map(([schema, table, name, type, comment]) => ({
      ...{ schema, table, comment },
      column: toColumn(String(name), String(type)),
    })),
  });
}
