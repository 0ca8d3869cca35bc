import { type QueryCheck, QueryError, type QueryRequest, type SqlSource, type TableSchema } from "../contract.ts";
import { type BigQueryScope, dryRun } from "./dry-run.ts";
import { quoteName, quoteTable } from "./names.ts";
import type { Question } from "./query-job.ts";
import { runJob } from "./run-job.ts";

/** Bounds of reading a column's values, which only help to spell literals: 100 MB cost less than a thousandth of a dollar. */
const VALUES = { maxBytes: 1_000_000, timeoutMs: 10_000 };
const MOST_SCANNED = 100 * 1024 * 1024;

/** The tables of one context in BigQuery, described already. */
export function createBigQuerySource(scope: BigQueryScope, schemas: readonly TableSchema[]): SqlSource {
  return {
    kind: "sql",
    dialect: "googlesql",
    quoteName,
    quoteTable,
    describe: async () => schemas,
    distinctValues: (table, column, limit, signal, most = MOST_SCANNED) => {
      const found = schemas.find(({ path }) => path.join(".") === table.join("."));
      const repeated = found?.columns.some(({ name, mode }) => name === column && mode === "REPEATED");
      return repeated
        ? Promise.resolve(undefined)
        : valuesOf(scope, quoteTable(table), column, { limit, most }, signal);
    },
    check: (sql, parameters, signal) => dryRun(scope, { sql, parameters }, signal).catch(asCheck),
    query: (request) => checkedRun(scope, request),
  };
}

async function checkedRun(scope: BigQueryScope, { sql, parameters = [], limits, signal }: QueryRequest) {
  const most = limits.maxScannedBytes;
  const question: Question = { sql, parameters, ...(most !== undefined && { maximumBytesBilled: most }) };
  const check = await dryRun(scope, question, signal);
  if (check.kind === "refused") throw new QueryError("refused", `${check.construct} is refused: ${check.reason}.`);
  if (check.kind === "invalid") throw new QueryError("invalid", check.error);
  const { scannedBytes = 0 } = check;
  if (most !== undefined && scannedBytes > most)
    throw new QueryError("too-expensive", `The query would read ${scannedBytes} bytes, more than the ${most} allowed.`);
  return runJob(scope, question, limits, signal);
}

/** A column that is too large or too guarded to list has no list: questions work without. */
async function valuesOf(
  scope: BigQueryScope,
  from: string,
  column: string,
  { limit, most }: { readonly limit: number; readonly most: number },
  signal: AbortSignal,
) {
  const name = quoteName(column);
  const sql = `SELECT CAST(${name} AS STRING), COUNT(*) AS n FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${limit + 1}`;
  try {
    const limits = { ...VALUES, maxRows: limit + 1 };
    const question = { sql, parameters: [], maximumBytesBilled: most };
    const { rows } = await runJob(scope, question, limits, signal);
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
