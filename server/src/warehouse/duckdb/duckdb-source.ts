import type { DuckDBConnection } from "@duckdb/node-api";
import { type QueryCheck, QueryError, type SqlSource, type TablePath, type TableSchema } from "../contract.ts";
import { translateGoogleSql } from "../googlesql/translate.ts";
import { describeTable, type TableOrigin } from "./catalog.ts";
import { passGate } from "./duckdb-gate.ts";
import { type Engine, quoteName } from "./engine.ts";
import { columnsOf, prepare, runQuery } from "./run-query.ts";

export interface DuckdbSourceDeps {
  readonly engine: Engine;
  /** The tables of the context. */
  readonly scope: readonly TableOrigin[];
  /** Brings tables of files up to date before they are read. */
  readonly refresh: () => Promise<void>;
}

/** The tables of one context, on the embedded engine. */
export function createDuckdbSource({ engine, scope, refresh }: DuckdbSourceDeps): SqlSource {
  /** An author's statement in DuckDB's words: as it is where it binds and has no mark of GoogleSQL, else translated. */
  async function ownWords(connection: DuckDBConnection, sql: string): Promise<string> {
    if (!/`|@\w/.test(sql) && (await binds(connection, sql))) return sql;
    const translation = translateGoogleSql(sql);
    if (translation.kind === "translated") return translation.sql;
    throw new QueryError(
      "refused",
      `${translation.construct} cannot be translated from BigQuery: ${translation.reason}.`,
    );
  }

  async function binds(connection: DuckDBConnection, sql: string): Promise<boolean> {
    const gated = await passGate(connection, sql, scope, engine.functions);
    if (gated.kind !== "passed") return false;
    return prepare(connection, gated.sql, []).then(
      () => true,
      () => false,
    );
  }

  const placed = (path: TablePath) =>
    (scope.find((one) => one.path.join("\0") === path.join("\0"))?.place ?? path).map(quoteName).join(".");
  return {
    kind: "sql",
    dialect: "duckdb",
    quoteTable: (path) => path.map(quoteName).join("."),
    quoteName,
    async describe() {
      await refresh();
      return engine.use(async (connection) => {
        const schemas: TableSchema[] = [];
        for (const table of scope)
          schemas.push(await describeTable(connection, table, (origin) => pathOf(origin, scope)));
        return schemas;
      });
    },
    async distinctValues(table, column, limit, signal) {
      const [name, from] = [quoteName(column), placed(table)];
      const sql = `SELECT ${name}::VARCHAR, count(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
      const limits = { maxRows: limit + 1, maxBytes: 1_000_000, timeoutMs: 5_000 };
      const { rows } = await engine.use((connection) => runQuery(connection, sql, [], limits, signal));
      return rows.length > limit ? undefined : rows.map(([value]) => String(value));
    },
    check: (sql, parameters) =>
      engine.use(async (connection): Promise<QueryCheck> => {
        const gated = await passGate(connection, sql, scope, engine.functions);
        if (gated.kind !== "passed") return gated;
        try {
          const columns = columnsOf(await prepare(connection, gated.sql, parameters));
          return { kind: "accepted", columns, tables: gated.tables };
        } catch (error) {
          return { kind: "invalid", error: error instanceof Error ? error.message : String(error) };
        }
      }),
    query: ({ sql, authored = false, parameters = [], limits, signal }) =>
      engine.use(async (connection) => {
        signal.throwIfAborted();
        const written = authored ? await ownWords(connection, sql) : sql;
        const gated = await passGate(connection, written, scope, engine.functions);
        if (gated.kind === "refused") throw new QueryError("refused", refusal(gated));
        if (gated.kind === "invalid") throw new QueryError("invalid", gated.error);
        return runQuery(connection, gated.sql, parameters, limits, signal);
      }),
  };
}

function refusal({ construct, reason }: Extract<QueryCheck, { kind: "refused" }>): string {
  return `${construct} is refused: ${reason}.`;
}

function pathOf(origin: TablePath, scope: readonly TableOrigin[]): TablePath | undefined {
  return scope.find((table) => table.origin.join("\0") === origin.join("\0"))?.path;
}
