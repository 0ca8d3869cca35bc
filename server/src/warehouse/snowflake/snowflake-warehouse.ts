import { definedFields, isJsonObject } from "#base";
import { QueryError, type QueryLimits, type QueryPlan } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { CATALOG, type StatementClient, statementsBy } from "../remote/statement-client.ts";
import { describeTables, listTables } from "./catalog.ts";
import { SNOWFLAKE_DIALECT } from "./dialect.ts";
import { readSnowflakeAddress } from "./login.ts";
import { createSnowflakeClient } from "./snowflake-client.ts";

/** Opens one database of a Snowflake account. */
export function openSnowflake(mapping: OpenedMapping): RemoteEngine {
  const address = () => readSnowflakeAddress(mapping);
  const client = createSnowflakeClient(address);
  const { database } = address();
  const { read, ...statements } = statementsBy(client);
  return {
    ...statements,
    dialect: SNOWFLAKE_DIALECT,
    get defaultSchema() {
      return address().schema;
    },
    tables: (signal) => listTables(read, database, signal),
    describe: (scope, signal) => describeTables(client, database, scope, signal),
    async columns(sql, signal) {
      const { scannedBytes } = await explain(client, sql, CATALOG, signal);
      return { ...(await statements.columns(sql, signal)), ...definedFields({ scannedBytes }) };
    },
    explain: (sql, limits, signal) => explain(client, sql, limits, signal),
    async run(sql, limits, signal) {
      await checkBudget(client, sql, limits, signal);
      return statements.run(sql, limits, signal);
    },
  };
}

/** Snowflake has no limit of bytes for a statement, and tells before it runs how many it would read. */
async function checkBudget(client: StatementClient, sql: string, limits: QueryLimits, signal: AbortSignal) {
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
  client: StatementClient,
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
