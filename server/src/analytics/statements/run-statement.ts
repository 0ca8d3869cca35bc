import { definedFields, type JsonObject } from "#base";
import { failedPrecondition, invalidArgument } from "#status";
import { QueryError, type ResultSet, type SqlSource } from "#warehouse";
import { shownRows } from "../chat/data-result.ts";
import { readableError } from "../chat/readable-error.ts";

/** A statement that a person wrote, in the dialect of the engine or in GoogleSQL. */
export interface Statement {
  readonly sql: string;
  /** Only how the engine would run it. Default false. */
  readonly explainOnly?: boolean;
  /** Bytes that it may read, where the engine can tell before it runs. Default no limit. */
  readonly maxScannedBytes?: number;
  /** The data agent whose budget holds. Default: that of questions without an agent. */
  readonly agent?: string;
}

/** What came of a statement. */
export interface StatementOutcome {
  /** Absent where it was only explained. */
  readonly result?: ResultSet;
  /** Vega-Lite of the rows, where they make a chart. */
  readonly chart?: JsonObject;
  /** How the engine runs it, a line a step; "" where it cannot tell. */
  readonly plan: string;
  /** Bytes that it reads, where the engine can tell. */
  readonly scannedBytes?: number;
}

interface StatementLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly queryMs: number;
}

/** Explains a statement and runs it, within the limits of a question (CA-40). INVALID_ARGUMENT for one that does not pass, FAILED_PRECONDITION for one that costs too much. */
export async function runStatement(
  source: SqlSource,
  { sql, explainOnly = false, maxScannedBytes }: Statement,
  { maxRows, maxBytes, queryMs }: StatementLimits,
  signal: AbortSignal,
): Promise<StatementOutcome> {
  const limits = { maxRows, maxBytes, timeoutMs: queryMs, ...definedFields({ maxScannedBytes }) };
  const request = { sql, authored: true, limits, signal };
  try {
    const { plan, scannedBytes } = await source.explain(request);
    const explained = { plan, ...definedFields({ scannedBytes }) };
    if (explainOnly) return explained;
    const result = shownRows(await source.query(request));
    return { ...explained, result };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof QueryError ? refused(error) : error;
  }
}

/** A statement is input, so what is wrong with it names the field; what it costs or how long it takes is a matter of the data. */
function refused(error: QueryError) {
  const { kind } = error;
  const message = readableError(error);
  if (kind === "rejected" || kind === "invalid") return invalidArgument({ field: "sql_query", description: message });
  return failedPrecondition(message, { reason: "STATEMENT_FAILED", metadata: { kind } });
}
