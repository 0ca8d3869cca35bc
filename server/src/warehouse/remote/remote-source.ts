import { definedFields, thrownMessage } from "#base";
import {
  type QueryCheck,
  QueryError,
  type QueryParameter,
  type QueryRequest,
  type SqlSource,
  type TablePath,
  type TableSchema,
  type TableView,
} from "../contract.ts";
import { rejectionMessage } from "../statement-check/statement-check.ts";
import { tableKey } from "../table-key.ts";
import type { RemoteEngine, ScopedTable } from "./contract.ts";
import { checkStatement } from "./statement/check-statement.ts";

/** Limits of reading the catalog and the values of a column. */
const CATALOG_MS = 20_000;
const VALUES = { maxBytes: 1_000_000, timeoutMs: 5_000 };

/** The tables of one context, in a database behind a wire. */
export function createRemoteSource(engine: RemoteEngine, scope: readonly ScopedTable[]): SqlSource {
  const { dialect } = engine;
  const nameOf = (path: TablePath) => {
    const table = scope.find((one) => tableKey(one.path) === tableKey(path));
    return (table?.origin ?? path.slice(-2)).map(dialect.quoteName).join(".");
  };
  let described: Promise<readonly TableSchema[]> | undefined;
  const schemas = () => {
    described ??= engine.describe(scope, AbortSignal.timeout(CATALOG_MS)).catch((error) => {
      described = undefined;
      throw error;
    });
    return described;
  };

  async function check(sql: string, parameters: readonly QueryParameter[], views: readonly TableView[] = []) {
    const columns = (await schemas()).flatMap((table) => table.columns.map(({ name }) => name));
    return checkStatement(sql, dialect, { scope, parameters, columns, views });
  }

  /** The statement as the engine runs it. Throws QueryError for one that does not pass. */
  async function checked({ sql, parameters = [], authored = false, views }: QueryRequest): Promise<string> {
    const result = await check(sql, parameters, views);
    if (result.kind === "valid") return result.sql;
    if (authored && isGoogleSql(sql)) throw new QueryError("rejected", writtenInGoogleSql(dialect.title));
    throw result.kind === "rejected"
      ? new QueryError("rejected", rejectionMessage(result))
      : new QueryError("invalid", result.error);
  }

  return {
    kind: "sql",
    dialect: dialect.name,
    quoteTable: nameOf,
    quoteName: dialect.quoteName,
    quoteText: dialect.quoteText,
    describe: (signal) => engine.describe(scope, signal),
    async distinctValues(table, column, limit, signal) {
      const name = dialect.quoteName(column);
      const request = {
        sql: `SELECT ${name}, COUNT(*) FROM ${nameOf(table)} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY COUNT(*) DESC, ${name}`,
        limits: { ...VALUES, maxRows: limit + 1 },
      };
      const { rows, truncated } = await engine.run(request.sql, request.limits, signal);
      return rows.length > limit || truncated ? undefined : rows.map(([value]) => String(value));
    },
    async check(sql, parameters, signal, views): Promise<QueryCheck> {
      const result = await check(sql, parameters, views);
      if (result.kind !== "valid") return result;
      try {
        const { columns, scannedBytes } = await engine.columns(result.sql, signal);
        return { kind: "accepted", columns, tables: result.tables, ...definedFields({ scannedBytes }) };
      } catch (error) {
        return { kind: "invalid", error: thrownMessage(error) };
      }
    },
    explain: async (request) => engine.explain(await checked(request), request.limits, request.signal),
    query: async (request) => engine.run(await checked(request), request.limits, request.signal),
  };
}

function writtenInGoogleSql(title: string): string {
  return `The verified query is written in GoogleSQL, and its tables are in ${title}: write it for ${title}.`;
}

/** What an author writes for BigQuery, and the other engines do not have (CA-21). */
function isGoogleSql(sql: string): boolean {
  return /\bSAFE_CAST\s*\(|\bSAFE_DIVIDE\s*\(|\bCOUNTIF\s*\(|\b(?:INT64|FLOAT64)\b|_TRUNC\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*[A-Z]+\s*\)/i.test(
    sql,
  );
}
