import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { type JsonValue, thrownMessage } from "#base";
import {
  type Column,
  cancelled,
  QueryError,
  type QueryLimits,
  type QueryParameter,
  type ResultSet,
  rowTooLarge,
  timedOut,
} from "../contract.ts";
import { toCell } from "./cell-value.ts";
import { toColumn } from "./column-types.ts";
import { withoutAttachedNames } from "./internal-names.ts";

/** Runs a checked statement and reads rows until a limit. Rows that are not read are not computed. */
export async function runQuery(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly QueryParameter[],
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<ResultSet> {
  const startedAt = performance.now();
  const stop = interruptible(connection, limits.timeoutMs, signal);
  try {
    const statement = await prepare(connection, sql, parameters);
    const { rows, truncated } = await readRows(statement, limits);
    return { columns: columnsOf(statement), rows, truncated, durationMs: performance.now() - startedAt };
  } catch (error) {
    throw stop.reason(error);
  } finally {
    stop.done();
  }
}

/** Binds a statement without running it; rejects with the error of DuckDB's binder. */
export async function prepare(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly QueryParameter[],
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  const names = new Set(Array.from({ length: statement.parameterCount }, (_, at) => statement.parameterName(at + 1)));
  const given = parameters.filter(({ name }) => names.has(name));
  if (given.length > 0) statement.bind(Object.fromEntries(given.map(({ name, value }) => [name, value])));
  return statement;
}

/** The columns of a prepared statement; a repeated name gets a number. */
export function columnsOf(statement: DuckDBPreparedStatement): readonly Column[] {
  const seen = new Map<string, number>();
  return Array.from({ length: statement.columnCount }, (_, at) => {
    const name = statement.columnName(at);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return toColumn(count === 0 ? name : `${name}_${count}`, statement.columnType(at));
  });
}

async function readRows(
  statement: DuckDBPreparedStatement,
  { maxRows, maxBytes }: QueryLimits,
): Promise<Pick<ResultSet, "rows" | "truncated">> {
  const rows: JsonValue[][] = [];
  let bytes = 0;
  const result = await statement.stream();
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const values of chunk.getRows()) {
      if (rows.length === maxRows) return { rows, truncated: true };
      const row = values.map(toCell);
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes && rows.length === 0) throw rowTooLarge(maxBytes);
      if (bytes > maxBytes) return { rows, truncated: true };
      rows.push(row);
    }
  }
  return { rows, truncated: false };
}

/** Milliseconds between interrupts: DuckDB forgets one that comes before it has begun a statement. */
const INTERRUPT_EVERY_MS = 50;

const OUT_OF_MEMORY =
  "The query needs more memory than one question may use (warehouse.memory). Ask for fewer rows, columns or values at once.";

/** Interrupts the running query at its timeout or when the signal is aborted, and says which it was. */
function interruptible(connection: DuckDBConnection, timeoutMs: number, signal: AbortSignal) {
  let isLate = false;
  let repeated: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    repeated ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  const timer = setTimeout(() => {
    isLate = true;
    interrupt();
  }, timeoutMs);
  signal.addEventListener("abort", interrupt, { once: true });
  if (signal.aborted) interrupt();
  return {
    reason(error: unknown): QueryError {
      if (error instanceof QueryError) return error;
      const message = withoutAttachedNames(thrownMessage(error));
      if (signal.aborted) return cancelled(error);
      if (isLate) return timedOut({ timeoutMs }, error);
      if (message.startsWith("Out of Memory Error")) return new QueryError("too-expensive", OUT_OF_MEMORY, error);
      const invalid = /^(Binder|Parser|Catalog|Conversion|Syntax) Error/.test(message);
      return new QueryError(invalid ? "invalid" : "failed", message, error);
    },
    done(): void {
      clearTimeout(timer);
      clearInterval(repeated);
      signal.removeEventListener("abort", interrupt);
    },
  };
}
