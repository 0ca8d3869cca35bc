import { QueryError, type QueryLimits, type TableSchema } from "../contract.ts";
import type { RemoteMapping } from "../mapping/warehouse-config.ts";
import { withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine, ScopedTable } from "../remote/contract.ts";
import { readHttpAddress } from "../remote/http/http-client.ts";
import { TRINO_DIALECT } from "./dialect.ts";
import { createTrinoClient, type TrinoClient } from "./trino-client.ts";
import { toColumn } from "./wire-types.ts";

const CATALOG: QueryLimits = { maxRows: 1_000_000, maxBytes: 64_000_000, timeoutMs: 20_000 };
const FORM = "https://user:password@host:8443/catalog/schema";

/** Opens one catalog of a Trino server. */
export function openTrino({ connectionString }: Pick<RemoteMapping, "connectionString">): RemoteEngine {
  const address = () => readHttpAddress(connectionString(), FORM);
  const catalog = address().path[0];
  if (!catalog) throw new QueryError("failed", `The connection string names no catalog; it must be ${FORM}.`);
  const client = createTrinoClient(address);
  const information = `${TRINO_DIALECT.quoteName(catalog)}.information_schema`;
  return {
    dialect: TRINO_DIALECT,
    get defaultSchema() {
      return address().path[1];
    },
    async tables(signal) {
      const sql = `SELECT table_schema, table_name FROM ${information}.tables WHERE table_schema <> 'information_schema' ORDER BY 1, 2`;
      const { rows } = await client.query(sql, CATALOG, signal);
      return rows.map(([schema, table]) => ({ catalog, schema: String(schema), table: String(table) }));
    },
    describe: (scope, signal) => describeTables(client, information, scope, signal),
    async columns(sql, signal) {
      const { columns } = await client.query(`SELECT * FROM (${sql}) AS t LIMIT 0`, CATALOG, signal);
      return { columns: withDistinctNames(columns) };
    },
    async explain(sql, limits, signal) {
      const { rows } = await client.query(`EXPLAIN ${sql}`, { ...limits, maxRows: CATALOG.maxRows }, signal);
      return { plan: rows.map(([text]) => String(text)).join("\n") };
    },
    async run(sql, limits, signal) {
      const startedAt = performance.now();
      const { columns, ...found } = await client.query(sql, limits, signal);
      return { columns: withDistinctNames(columns), ...found, durationMs: performance.now() - startedAt };
    },
    close: () => client.close(),
  };
}

/** Columns and their comments. Trino knows no keys. */
async function describeTables(
  client: TrinoClient,
  information: string,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  const schemas = [...new Set(scope.map(({ origin }) => origin[1] ?? ""))];
  if (schemas.length === 0) return [];
  const { rows } = await client.query(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, comment FROM ${information}.columns
     WHERE table_schema IN (${schemas.map(TRINO_DIALECT.quoteText).join(", ")}) ORDER BY table_schema, table_name, ordinal_position`,
    CATALOG,
    signal,
  );
  const own = Map.groupBy(rows, ([schema, table]) => `${schema}\0${table}`);
  return scope.map(({ path, origin: [, schema, table] }) => ({
    path,
    columns: (own.get(`${schema}\0${table}`) ?? []).map(([, , name, type, nullable, comment]) => {
      const column = toColumn(String(name), String(type));
      return {
        ...column,
        mode: column.mode === "NULLABLE" && nullable === "NO" ? ("REQUIRED" as const) : column.mode,
        ...(comment && { description: String(comment) }),
      };
    }),
  }));
}
