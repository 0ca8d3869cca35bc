import { definedFields, isJsonObject } from "#base";
import { QueryError, type QueryLimits, type QueryPlan } from "../contract.ts";
import type { RemoteMapping } from "../mapping/warehouse-config.ts";
import { withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { CATALOG, describeTables, listTables } from "./catalog.ts";
import { SNOWFLAKE_DIALECT } from "./dialect.ts";
import { readSnowflakeAddress } from "./login.ts";
import { createSnowflakeClient, type SnowflakeClient } from "./snowflake-client.ts";

/** Opens one database of a Snowflake account. */
export function openSnowflake({ connectionString }: Pick<RemoteMapping, "connectionString">): RemoteEngine {
  const address = () => readSnowflakeAddress(connectionString());
  const client = createSnowflakeClient(address);
  const { database } = address();
  return {
    dialect: SNOWFLAKE_DIALECT,
    get defaultSchema() {
      return address().schema;
    },
    tables: (signal) => listTables(client, database, signal),
    describe: (scope, signal) => describeTables(client, database, scope, signal),
    async columns(sql, signal) {
      const { scannedBytes } = await explain(client, sql, CATALOG, signal);
      const { columns } = await client.query(`SELECT * FROM (${sql}) AS question LIMIT 0`, CATALOG, signal);
      return { columns: withDistinctNames(columns), ...definedFields({ scannedBytes }) };
    },
    explain: (sql, limits, signal) => explain(client, sql, limits, signal),
    async run(sql, limits, signal) {
      const startedAt = performance.now();
      await checkBudget(client, sql, limits, signal);
      const { columns, ...found } = await client.query(sql, limits, signal);
      return { columns: withDistinctNames(columns), ...found, durationMs: performance.now() - startedAt };
    },
    close: () => client.close(),
  };
}

/** Snowflake has no limit of bytes for a statement, and tells before it runs how many it would read. */
async function checkBudget(client: SnowflakeClient, sql: string, limits: QueryLimits, signal: AbortSignal) {
  const { maxScannedBytes } = limits;
  if (maxScannedBytes === undefined) return;
  const { scannedBytes = 0 } = await explain(client, sql, limits, signal);
  if (scannedBytes > maxScannedBytes)
    throw new QueryError(
      "too-expensive",
      `The query would read ${scannedBytes} bytes; the limit is ${maxScannedBytes}.`,
    );
}

/** The plan needs no warehouse that runs. */
async function explain(
  client: SnowflakeClient,
  sql: string,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<QueryPlan> {
  const one = { ...CATALOG, timeoutMs: limits.timeoutMs };
  const { rows } = await client.query(`EXPLAIN USING JSON ${sql}`, one, signal);
  const plan: unknown = JSON.parse(String(rows[0]?.[0] ?? "{}"));
  if (!isJsonObject(plan)) return { plan: "" };
  const bytes = isJsonObject(plan.GlobalStats) ? plan.GlobalStats.bytesAssigned : undefined;
  const steps = (Array.isArray(plan.Operations) ? plan.Operations : []).flat().filter(isJsonObject);
  const line = ({ operation, objects }: Record<string, unknown>) =>
    [operation, ...(Array.isArray(objects) ? objects : [])].map(String).join(" ");
  return { plan: steps.map(line).join("\n"), ...(typeof bytes === "number" && { scannedBytes: bytes }) };
}
