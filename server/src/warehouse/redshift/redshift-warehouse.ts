import { definedFields } from "#base";
import type { Column, QueryLimits, ResultSet } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import { createPostgresPool, type Execute } from "../postgres/connection-pool.ts";
import { collectRows, withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { describeTables, listTables } from "./catalog.ts";
import { readRedshiftAddress } from "./connection-string.ts";
import { REDSHIFT_DIALECT } from "./dialect.ts";
import { toCell, toColumn } from "./wire-types.ts";

const CATALOG_MS = 20_000;
/** Rows of the first fetch, and of the others: a cluster of one node gives at most 1,000. */
const FIRST_ROWS = 64;
const FETCH_ROWS = 500;

/** Opens a Redshift database by the protocol of PostgreSQL; the first connection is made for the first query. */
export function openRedshift({ connectionString, gate }: OpenedMapping): RemoteEngine {
  const pool = createPostgresPool({
    connectionString: () => readRedshiftAddress(connectionString()),
    begin,
    ...definedFields({ gate }),
  });
  const catalog = (signal: AbortSignal) => ({ timeoutMs: CATALOG_MS, signal });
  return {
    dialect: REDSHIFT_DIALECT,
    defaultSchema: "public",
    tables: (signal) => pool.transaction(catalog(signal), listTables),
    describe: (scope, signal) => pool.transaction(catalog(signal), (execute) => describeTables(execute, scope)),
    columns: (sql, signal) =>
      pool.transaction(catalog(signal), async (execute) => {
        const { fields } = await execute(`SELECT * FROM (${sql}) AS question LIMIT 0`);
        return { columns: withDistinctNames(fields.map(({ name, dataTypeID }) => toColumn(name, dataTypeID))) };
      }),
    explain: (sql, { timeoutMs }, signal) =>
      pool.transaction({ timeoutMs, signal }, async (execute) => {
        const { rows } = await execute(`EXPLAIN ${sql}`);
        return { plan: rows.map(([line]) => line).join("\n") };
      }),
    async run(sql, limits, signal) {
      const startedAt = performance.now();
      const transaction = { timeoutMs: limits.timeoutMs, signal };
      const found = await pool.transaction(transaction, (execute) => readCursor(execute, sql, limits));
      return { ...found, durationMs: performance.now() - startedAt };
    },
    close: () => pool.close(),
  };
}

/** Statements that begin a transaction: it only reads, finds nothing without a schema, and ends after its time. Settings that Redshift has. */
function begin(timeoutMs: number): string {
  return [
    "BEGIN TRANSACTION READ ONLY",
    "SET LOCAL search_path TO pg_catalog",
    `SET LOCAL statement_timeout TO ${Math.max(1, Math.ceil(timeoutMs))}`,
    "SET LOCAL TimeZone TO 'UTC'",
    "SET LOCAL DateStyle TO 'ISO, YMD'",
    "SELECT pg_backend_pid()::text AS pid",
  ].join("; ");
}

/** Rows until a limit, by a cursor: what is behind the limit stays in the cluster. */
async function readCursor(
  execute: Execute,
  sql: string,
  limits: QueryLimits,
): Promise<Pick<ResultSet, "columns" | "rows" | "truncated">> {
  await execute(`DECLARE question CURSOR FOR ${sql}`);
  const collector = collectRows(limits);
  let columns: readonly Column[] | undefined;
  for (let count = FIRST_ROWS; ; count = FETCH_ROWS) {
    const wanted = Math.min(count, limits.maxRows - collector.rows.length + 1);
    const { rows, fields } = await execute(`FETCH FORWARD ${wanted} FROM question`);
    columns ??= fields.map(({ name, dataTypeID }) => toColumn(name, dataTypeID));
    for (const cells of rows) collector.add(cells.map((cell, at) => toCell(cell, fields[at]?.dataTypeID ?? 0)));
    if (collector.truncated || rows.length < wanted)
      return { columns: withDistinctNames(columns), rows: collector.rows, truncated: collector.truncated };
  }
}
