import type { QueryLimits, TableSchema } from "../contract.ts";
import type { RemoteMapping } from "../mapping/warehouse-config.ts";
import { withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine, ScopedTable } from "../remote/contract.ts";
import { readHttpAddress } from "../remote/http/http-client.ts";
import { type ClickHouseClient, createClickHouseClient } from "./clickhouse-client.ts";
import { CLICKHOUSE_DIALECT } from "./dialect.ts";
import { toColumn } from "./wire-types.ts";

const CATALOG: QueryLimits = { maxRows: 1_000_000, maxBytes: 64_000_000, timeoutMs: 20_000 };

/** Opens a ClickHouse server by its HTTP interface. */
export function openClickHouse({ connectionString }: Pick<RemoteMapping, "connectionString">): RemoteEngine {
  const address = () => readHttpAddress(connectionString(), "https://user:password@host:8443/database");
  const client = createClickHouseClient(address);
  return {
    dialect: CLICKHOUSE_DIALECT,
    get defaultSchema() {
      return address().path[0];
    },
    async tables(signal) {
      const sql = `SELECT database, name FROM system.tables WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') AND NOT is_temporary ORDER BY 1, 2`;
      const { rows } = await client.query(sql, CATALOG, signal);
      return rows.map(([schema, table]) => ({ schema: String(schema), table: String(table) }));
    },
    describe: (scope, signal) => describeTables(client, scope, signal),
    async columns(sql, signal) {
      const { rows } = await client.query(`DESCRIBE TABLE (${sql})`, CATALOG, signal);
      return { columns: withDistinctNames(rows.map(([name, type]) => toColumn(String(name), String(type)))) };
    },
    async explain(sql, limits, signal) {
      const { rows } = await client.query(`EXPLAIN PLAN ${sql}`, { ...limits, maxRows: CATALOG.maxRows }, signal);
      return { plan: rows.map(([line]) => String(line)).join("\n") };
    },
    async run(sql, limits, signal) {
      const startedAt = performance.now();
      const { columns, ...found } = await client.query(sql, limits, signal);
      return { columns: withDistinctNames(columns), ...found, durationMs: performance.now() - startedAt };
    },
    close: () => client.close(),
  };
}

/** Columns, comments and row counts. The primary key of ClickHouse orders rows and may repeat, so it is no key here. */
async function describeTables(
  client: ClickHouseClient,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  const databases = [...new Set(scope.map(({ origin: [database = ""] }) => database))];
  if (databases.length === 0) return [];
  const list = databases.map(CLICKHOUSE_DIALECT.quoteText).join(", ");
  const tables = await client.query(
    `SELECT database, name, comment, total_rows FROM system.tables WHERE database IN (${list})`,
    CATALOG,
    signal,
  );
  const columns = await client.query(
    `SELECT database, table, name, type, comment FROM system.columns WHERE database IN (${list}) ORDER BY database, table, position`,
    CATALOG,
    signal,
  );
  const facts = new Map(tables.rows.map(([database, name, ...rest]) => [`${database}\0${name}`, rest]));
  const own = Map.groupBy(columns.rows, ([database, table]) => `${database}\0${table}`);
  return scope.map(({ path, origin }) => {
    const key = origin.join("\0");
    const [comment, count] = facts.get(key) ?? [];
    return {
      path,
      ...(comment && { description: String(comment) }),
      columns: (own.get(key) ?? []).map(([, , name, type, said]) => ({
        ...toColumn(String(name), String(type)),
        ...(said && { description: String(said) }),
      })),
      ...(typeof count === "string" && { rowCount: Number(count) }),
    };
  });
}
