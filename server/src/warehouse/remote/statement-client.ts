import { QueryError, type QueryLimits, type QueryPlan, type ResultSet } from "../contract.ts";
import { withDistinctNames } from "./collect-rows.ts";
import type { RemoteEngine } from "./contract.ts";

/** What a statement answered; names of columns may repeat. */
export type StatementRows = Pick<ResultSet, "columns" | "rows" | "truncated">;

/** Runs statements of one engine, each by itself. */
export interface StatementClient {
  /** Rejects with `QueryError`. At a timeout or an aborted signal the statement is ended in the engine. */
  query(sql: string, limits: QueryLimits, signal: AbortSignal): Promise<StatementRows>;
  close(): Promise<void>;
}

/** Limits of statements about the catalog. */
export const CATALOG: QueryLimits = { maxRows: 1_000_000, maxBytes: 64_000_000, timeoutMs: 20_000 };

/** Reads the rows of a statement about the catalog. */
export type ReadCatalog = (sql: string, signal: AbortSignal) => Promise<StatementRows["rows"]>;

/** What an engine does alike with each client: it runs statements, and tells the columns of one that finds no row. */
export function statementsBy(
  client: StatementClient,
): Pick<RemoteEngine, "run" | "columns" | "explain" | "close"> & { readonly read: ReadCatalog } {
  return {
    async read(sql, signal) {
      const { rows, truncated } = await client.query(sql, CATALOG, signal);
      if (truncated) throw new QueryError("failed", "The catalog of the database is larger than can be read.");
      return rows;
    },
    async run(sql, limits, signal) {
      const startedAt = performance.now();
      const { columns, ...found } = await client.query(sql, limits, signal);
      return { columns: withDistinctNames(columns), ...found, durationMs: performance.now() - startedAt };
    },
    async columns(sql, signal) {
      const { columns } = await client.query(`SELECT * FROM (${sql}) AS question LIMIT 0`, CATALOG, signal);
      return { columns: withDistinctNames(columns) };
    },
    explain: (sql, limits, signal) => planLines(client, `EXPLAIN ${sql}`, limits, signal),
    close: () => client.close(),
  };
}

/** A plan whose rows are its lines. */
export async function planLines(
  client: StatementClient,
  sql: string,
  { timeoutMs }: QueryLimits,
  signal: AbortSignal,
): Promise<QueryPlan> {
  const { rows } = await client.query(sql, { ...CATALOG, timeoutMs }, signal);
  return { plan: rows.map(([line]) => String(line)).join("\n") };
}
