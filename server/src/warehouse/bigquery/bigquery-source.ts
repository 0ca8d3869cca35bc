import { definedFields } from "#base";
import {
  type QueryCheck,
  QueryError,
  type QueryRequest,
  type SqlSource,
  type TablePath,
  type TableSchema,
} from "../contract.ts";
import { rejectionMessage } from "../statement-check/statement-check.ts";
import { type BigQueryScope, dryRun } from "./dry-run.ts";
import type { BigQueryStatement } from "./query-job.ts";
import { runJob } from "./run-job.ts";

/** Limits of reading the values of a column, which only help to spell literals: 100 MB cost less than a thousandth of a dollar. */
const VALUES = { maxBytes: 1_000_000, timeoutMs: 10_000 };
const MAX_SCANNED_BYTES = 100 * 1024 * 1024;

/** The tables of one context in BigQuery, with their schemas. */
export function createBigQuerySource(scope: BigQueryScope, schemas: readonly TableSchema[]): SqlSource {
  return {
    kind: "sql",
    dialect: "googlesql",
    quoteName,
    quoteText: (text) => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`,
    quoteTable,
    describe: async () => schemas,
    distinctValues: (table, column, limit, signal, maxScannedBytes = MAX_SCANNED_BYTES) => {
      const found = schemas.find(({ path }) => path.join(".") === table.join("."));
      const repeated = found?.columns.some(({ name, mode }) => name === column && mode === "REPEATED");
      return repeated
        ? Promise.resolve(undefined)
        : valuesOf(scope, quoteTable(table), column, { limit, maxScannedBytes }, signal);
    },
    check: (sql, parameters, signal) => dryRun(scope, { sql, parameters }, signal).catch(asCheck),
    async explain({ sql, parameters = [], signal }) {
      const check = await dryRun(scope, { sql, parameters }, signal);
      if (check.kind === "rejected") throw new QueryError("rejected", rejectionMessage(check));
      if (check.kind === "invalid") throw new QueryError("invalid", check.error);
      return { plan: "", ...definedFields({ scannedBytes: check.scannedBytes }) };
    },
    query: (request) => dryRunAndQuery(scope, request),
  };
}

async function dryRunAndQuery(scope: BigQueryScope, { sql, parameters = [], limits, signal }: QueryRequest) {
  const { maxScannedBytes } = limits;
  const statement: BigQueryStatement = {
    sql,
    parameters,
    ...definedFields({ maximumBytesBilled: maxScannedBytes }),
  };
  const check = await dryRun(scope, statement, signal);
  if (check.kind === "rejected") throw new QueryError("rejected", rejectionMessage(check));
  if (check.kind === "invalid") throw new QueryError("invalid", check.error);
  const { scannedBytes = 0 } = check;
  if (maxScannedBytes !== undefined && scannedBytes > maxScannedBytes)
    throw new QueryError(
      "too-expensive",
      `The query would read ${scannedBytes} bytes, more than the ${maxScannedBytes} allowed.`,
    );
  return runJob(scope, statement, limits, signal);
}

/** Undefined for a column that is too large or not permitted to list: values are optional. */
async function valuesOf(
  scope: BigQueryScope,
  from: string,
  column: string,
  { limit, maxScannedBytes }: { readonly limit: number; readonly maxScannedBytes: number },
  signal: AbortSignal,
) {
  const name = quoteName(column);
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

/** An identifier as GoogleSQL reads it, whatever it contains. */
function quoteName(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

/** The whole name of a table: one pair of quotes around project, dataset and table. */
function quoteTable(path: TablePath): string {
  return quoteName(path.join("."));
}
