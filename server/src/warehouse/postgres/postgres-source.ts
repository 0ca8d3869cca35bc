import { thrownMessage } from "#base";
import {
  type QueryCheck,
  QueryError,
  type QueryParameter,
  type ResultSet,
  type SqlSource,
  type TablePath,
  type TableView,
} from "../contract.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { rejectionMessage } from "../statement-check/statement-check.ts";
import { tableKey } from "../table-key.ts";
import { describeTables } from "./catalog.ts";
import type { PostgresPool } from "./connection-pool.ts";
import { toPositionalParameters } from "./named-parameters.ts";
import { openCursor, readRows } from "./run-query.ts";
import { checkStatement, type ScopedTable } from "./statement-check/check-statement.ts";
import type { KnownNames } from "./statement-check/inspect-statement.ts";
import type { StatementParser } from "./statement-check/parse-statement.ts";

type Query = Parameters<SqlSource["query"]>[0];

interface PostgresSourceDeps {
  readonly pool: PostgresPool;
  readonly parser: StatementParser;
  readonly functions: ReadonlySet<string>;
  /** The tables of the context. */
  readonly scope: readonly ScopedTable[];
  /** Settings that parameterized secure views read. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Timeouts of reading the catalog and the values of a column, in milliseconds. */
const CATALOG_MS = 10_000;
const VALUES_MS = 5_000;

/** The tables of one context, in a PostgreSQL database. */
export function createPostgresSource(deps: PostgresSourceDeps): SqlSource {
  const { pool, scope, settings } = deps;
  const nameOf = (path: TablePath) => {
    const table = scope.find((one) => tableKey(one.path) === tableKey(path));
    return (table?.origin ?? path.slice(-2)).map(quoteName).join(".");
  };
  const describe = (signal: AbortSignal) =>
    pool.transaction({ timeoutMs: CATALOG_MS, signal }, (execute) => describeTables(execute, scope));
  const columns = memoized(() => describe(AbortSignal.timeout(CATALOG_MS)));

  /** Checks the statement, its parameters made positional. */
  async function check(sql: string, parameters: readonly QueryParameter[], views: readonly TableView[] = []) {
    const known: KnownNames = {
      functions: deps.functions,
      columns: new Set((await columns()).flatMap((table) => table.columns.map(({ name }) => name))),
    };
    const positional = toPositionalParameters(sql, parameters);
    return { values: positional.values, checked: checkStatement(deps.parser, positional.sql, scope, known, views) };
  }

  /** The statement as the engine runs it. Throws QueryError for one that does not pass. */
  async function checkedStatement({ sql, parameters = [], views }: Query) {
    const { checked, values } = await check(sql, parameters, views);
    if (checked.kind === "rejected") throw new QueryError("rejected", rejectionMessage(checked));
    if (checked.kind === "invalid") throw new QueryError("invalid", checked.error);
    return { sql: checked.sql, values };
  }

  async function run(request: Query): Promise<ResultSet> {
    const { sql, values } = await checkedStatement(request);
    const { limits, signal } = request;
    const startedAt = performance.now();
    return pool.transaction({ timeoutMs: limits.timeoutMs, signal, settings }, async (execute) => {
      const found = await openCursor(execute, sql, values);
      const read = await readRows(execute, limits);
      return { columns: found, ...read, durationMs: performance.now() - startedAt };
    });
  }

  return {
    kind: "sql",
    dialect: "postgresql",
    quoteTable: nameOf,
    quoteName,
    quoteText: quotePostgresText,
    describe: (signal) => describe(signal),
    async distinctValues(table, column, limit, signal) {
      const [name, from] = [quoteName(column), nameOf(table)];
      const sql = `SELECT ${name}::text, count(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
      const { rows } = await pool.transaction({ timeoutMs: VALUES_MS, signal, settings }, (execute) => execute(sql));
      return rows.length > limit ? undefined : rows.map(([value]) => value ?? "");
    },
    async check(sql, parameters, signal, views): Promise<QueryCheck> {
      const { checked, values } = await check(sql, parameters, views);
      if (checked.kind !== "valid") return checked;
      try {
        const found = await pool.transaction({ timeoutMs: CATALOG_MS, signal, settings }, (execute) =>
          openCursor(execute, checked.sql, values),
        );
        return { kind: "accepted", columns: found, tables: checked.tables };
      } catch (error) {
        return { kind: "invalid", error: thrownMessage(error) };
      }
    },
    async explain(request) {
      const { sql, values } = await checkedStatement(request);
      const options = { timeoutMs: request.limits.timeoutMs, signal: request.signal, settings };
      const { rows } = await pool.transaction(options, (execute) => execute(`EXPLAIN ${sql}`, values));
      return { plan: rows.map(([line]) => line ?? "").join("\n") };
    },
    async query({ sql, authored = false, parameters = [], views = [], limits, signal }) {
      return run({ sql, parameters, views, limits, signal }).catch((error: unknown) => {
        const isOther = authored && error instanceof QueryError && error.kind !== "cancelled" && isGoogleSql(sql);
        throw isOther ? new QueryError("rejected", GOOGLESQL) : error;
      });
    },
  };
}

/** A server may read backslashes in plain texts as escapes. */
function quotePostgresText(text: string): string {
  return text.includes("\\") ? ` E${quoteText(text.replaceAll("\\", "\\\\"))}` : quoteText(text);
}

/** What an author writes for BigQuery, and PostgreSQL does not have (CA-21). */
const GOOGLESQL =
  "The verified query is written in GoogleSQL, and its tables are in PostgreSQL: write it for PostgreSQL, with names in double quotes and, for example, date_trunc('month', x) and CAST(x AS bigint).";

function isGoogleSql(sql: string): boolean {
  return /`|\bSAFE_CAST\s*\(|\bSAFE_DIVIDE\s*\(|\bCOUNTIF\s*\(|\b(?:INT64|FLOAT64)\b|_TRUNC\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*[A-Z]+\s*\)/i.test(
    sql,
  );
}

/** Reads once; after a failure the next call reads again. */
function memoized<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read().catch((error) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
