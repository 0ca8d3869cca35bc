import { definedFields } from "#base";
import {
  type QueryCheck,
  QueryError,
  type QueryRequest,
  type SqlSource,
  type TablePath,
  type TableSchema,
} from "../contract.ts";
import { BIGQUERY_DIALECT } from "./dialect.ts";
import type { BigQueryScope } from "./dry-run.ts";
import { checkBigQueryStatement, orQueryError } from "./ruled-statement.ts";
import { runJob } from "./run-job.ts";

/** Limits of reading the values of a column, which only help to spell literals: 100 MB cost less than a thousandth of a dollar. */
const VALUES = { maxBytes: 1_000_000, timeoutMs: 10_000 };
const MAX_SCANNED_BYTES = 100 * 1024 * 1024;

/** The tables of one context in BigQuery, with their schemas. */
export function createBigQuerySource(scope: BigQueryScope, schemas: readonly TableSchema[]): SqlSource {
  const { quoteName, quoteText } = BIGQUERY_DIALECT;
  const checked = (
    { sql, parameters = [], views = [] }: Partial<QueryRequest> & { sql: string },
    signal: AbortSignal,
  ) => checkBigQueryStatement(scope, schemas, { sql, parameters, views }, signal);
  return {
    kind: "sql",
    dialect: "googlesql",
    quoteName,
    quoteText,
    quoteTable,
    describe: async () => schemas,
    distinctValues: (table, column, limit, signal, maxScannedBytes = MAX_SCANNED_BYTES) => {
      const found = schemas.find(({ path }) => path.join(".") === table.join("."));
      const repeated = found?.columns.some(({ name, mode }) => name === column && mode === "REPEATED");
      return repeated
        ? Promise.resolve(undefined)
        : valuesOf(scope, quoteTable(table), column, { limit, maxScannedBytes }, signal);
    },
    check: (sql, parameters, signal, views = []) =>
      checked({ sql, parameters, views }, signal).then(({ check }) => check, asCheck),
    async explain(request) {
      const { scannedBytes } = orQueryError(await checked(request, request.signal)).check;
      return { plan: "", ...definedFields({ scannedBytes }) };
    },
    async query(request) {
      const { limits, signal } = request;
      const { statement, check } = orQueryError(await checked(request, signal));
      const { maxScannedBytes: maximumBytesBilled } = limits;
      const { scannedBytes = 0 } = check;
      if (maximumBytesBilled !== undefined && scannedBytes > maximumBytesBilled)
        throw new QueryError(
          "too-expensive",
          `The query would read ${scannedBytes} bytes, more than the ${maximumBytesBilled} allowed.`,
        );
      return runJob(scope, { ...statement, ...definedFields({ maximumBytesBilled }) }, limits, signal);
    },
  };
}

/** Undefined for a column that is too large or not permitted to list: values are optional. */
async function valuesOf(
  scope: BigQueryScope,
  from: string,
  column: string,
  { limit, maxScannedBytes }: { readonly limit: number; readonly maxScannedBytes: number },
  signal: AbortSignal,
) {
  const name = BIGQUERY_DIALECT.quoteName(column);
  const sql = `SELECT CAST(${name} AS STRING), COUNT(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
  try {
    const limits = { ...VALUES, maxRows: limit + 1 };
    const statement = { sql, parameters: [], maximumBytesBilled: maxScannedBytes };
    const { rows } = await runJob(scope, statement, limits, signal);
    return rows.length > limit ? undefined : rows.map(([value]) => String(value));
  } catch (error) {
    if (error instanceof QueryError && ["too-expensive", "invalid", "timeout"].includes(error.kind)) return undefined;
    throw error;
  }
}

function asCheck(error: unknown): QueryCheck {
  if (error instanceof QueryError) return { kind: "invalid", error: error.message };
  throw error;
}

/** The whole name of a table: one pair of quotes around project, dataset and table. */
function quoteTable(path: TablePath): string {
  return BIGQUERY_DIALECT.quoteName(path.join("."));
}
