import type { DuckDBConnection } from "@duckdb/node-api";
import { thrownMessage } from "#base";
import {
  type QueryCheck,
  QueryError,
  type QueryRequest,
  type SqlSource,
  type TablePath,
  type TableSchema,
  type TableView,
} from "../contract.ts";
import { translateGoogleSql } from "../googlesql/translate.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { rejectionMessage } from "../statement-check/statement-check.ts";
import { tableKey } from "../table-key.ts";
import { type ContextTable, describeTables } from "./catalog.ts";
import type { Engine } from "./engine.ts";
import { planLines } from "./query-plan.ts";
import { columnsOf, prepare, runQuery } from "./run-query.ts";
import { checkStatement } from "./statement-check/check-statement.ts";

/** Milliseconds that reading the values of a column may take. */
export const DISTINCT_VALUES_MS = 5_000;

interface DuckdbSourceDeps {
  readonly engine: Engine;
  /** The tables of the context. */
  readonly scope: readonly ContextTable[];
  /** Reads files again that have changed since. */
  readonly refresh: () => Promise<void>;
  /** Where schemas are kept as of a state of the files: reading those of thousands of tables takes seconds. */
  readonly described: { get(): Described | undefined; set(described: Described): void };
}

/** `@name` outside texts and quoted names is a parameter, which DuckDB writes `$name`. */
function withDuckdbParameters(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|@(\w+)/g, (whole, name?: string) =>
    name === undefined ? whole : `$${name}`,
  );
}

/** Schemas, and the versions of their tables. */
export interface Described {
  readonly versions: string;
  readonly schemas: readonly TableSchema[];
}

/** The tables of one context, in DuckDB. */
export function createDuckdbSource({ engine, scope, refresh, described }: DuckdbSourceDeps): SqlSource {
  /** An authored statement in DuckDB's dialect: as it is where it binds and has no syntax of GoogleSQL but parameters, else translated. */
  async function translateAuthored(
    connection: DuckDBConnection,
    sql: string,
    views: readonly TableView[],
  ): Promise<string> {
    const native = withDuckdbParameters(sql);
    if (!sql.includes("`") && (await binds(connection, native, views))) return native;
    const translation = translateGoogleSql(sql);
    if (translation.kind === "translated") return translation.sql;
    const { construct, reason } = translation;
    throw new QueryError("rejected", `${construct} cannot be translated from BigQuery: ${reason}.`);
  }

  async function binds(connection: DuckDBConnection, sql: string, views: readonly TableView[]): Promise<boolean> {
    const checked = await checkStatement(connection, sql, scope, engine.functions, views);
    return checked.kind === "valid" && canPrepare(connection, checked.sql);
  }

  /** The statement as the engine runs it. Throws QueryError for one that does not pass. */
  async function checkedSql(connection: DuckDBConnection, { sql, authored = false, views = [], signal }: QueryRequest) {
    signal.throwIfAborted();
    const written = authored ? await translateAuthored(connection, sql, views) : sql;
    const checked = await checkStatement(connection, written, scope, engine.functions, views);
    if (checked.kind === "rejected") throw new QueryError("rejected", rejectionMessage(checked));
    if (checked.kind === "invalid") throw new QueryError("invalid", checked.error);
    return checked.sql;
  }

  const internalName = (path: TablePath) =>
    (scope.find((one) => tableKey(one.path) === tableKey(path))?.internalName ?? path).map(quoteName).join(".");
  return {
    kind: "sql",
    dialect: "duckdb",
    quoteTable: (path) => path.map(quoteName).join("."),
    quoteName,
    quoteText,
    async describe() {
      await refresh();
      const versions = scope.map(({ version }) => version()).join("\n");
      const known = described.get();
      if (known?.versions === versions) return known.schemas;
      const schemas = await engine.use((connection) => describeTables(connection, scope));
      described.set({ versions, schemas });
      return schemas;
    },
    async distinctValues(table, column, limit, signal) {
      const [name, from] = [quoteName(column), internalName(table)];
      const sql = `SELECT ${name}::VARCHAR, count(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
      const limits = { maxRows: limit + 1, maxBytes: 1_000_000, timeoutMs: DISTINCT_VALUES_MS };
      const { rows } = await engine.use((connection) => runQuery(connection, sql, [], limits, signal));
      return rows.length > limit ? undefined : rows.map(([value]) => String(value));
    },
    check: (sql, parameters, _signal, views) =>
      engine.use(async (connection): Promise<QueryCheck> => {
        const checked = await checkStatement(connection, sql, scope, engine.functions, views);
        if (checked.kind !== "valid") return checked;
        try {
          const columns = columnsOf(await prepare(connection, checked.sql, parameters));
          return { kind: "accepted", columns, tables: checked.tables };
        } catch (error) {
          return { kind: "invalid", error: thrownMessage(error) };
        }
      }),
    explain: (request) =>
      engine.use(async (connection) => {
        const sql = `EXPLAIN (FORMAT JSON) ${await checkedSql(connection, request)}`;
        const { rows } = await runQuery(connection, sql, request.parameters ?? [], request.limits, request.signal);
        return { plan: planLines(String(rows[0]?.[1] ?? "[]")) };
      }),
    query: (request) =>
      engine.use(async (connection) => {
        const { parameters = [], limits, signal } = request;
        return runQuery(connection, await checkedSql(connection, request), parameters, limits, signal);
      }),
  };
}

function canPrepare(connection: DuckDBConnection, sql: string): Promise<boolean> {
  return prepare(connection, sql, []).then(
    () => true,
    () => false,
  );
}
