import { definedFields } from "#base";
import { failedPrecondition, invalidArgument } from "#status";
import { QueryError, type SqlSource } from "#warehouse";
import { planChart } from "../charts/plan-chart.ts";
import { vegaConfig } from "../charts/vega-config.ts";
import { shownRows } from "../chat/data-result.ts";
import { readableError } from "../chat/readable-error.ts";
import type { CompiledStatement, Statement, StatementOutcome } from "./contract.ts";

interface StatementLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly queryMs: number;
}

/** Explains a statement and runs it, within the limits of a question (CA-40). INVALID_ARGUMENT for one that does not pass, FAILED_PRECONDITION for one that costs too much. */
export async function runStatement(
  source: SqlSource,
  statement: CompiledStatement,
  { explainOnly = false, maxScannedBytes }: Pick<Statement, "explainOnly" | "maxScannedBytes">,
  { maxRows, maxBytes, queryMs }: StatementLimits,
  signal: AbortSignal,
): Promise<StatementOutcome> {
  const limits = { maxRows, maxBytes, timeoutMs: queryMs, ...definedFields({ maxScannedBytes }) };
  const request = { sql: statement.sql, authored: statement.written === "person", limits, signal };
  try {
    const { plan, scannedBytes } = await source.explain(request);
    const explained = { plan, statement, ...definedFields({ scannedBytes }) };
    if (explainOnly) return explained;
    const result = shownRows(await source.query(request));
    return { ...explained, result };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof QueryError ? refused(error, statement) : error;
  }
}

/** A statement is input, so what is wrong with it names the field; what it costs or how long it takes is a matter of the data. */
function refused(error: QueryError, { written }: CompiledStatement) {
  const { kind } = error;
  const message = readableError(error);
  const field = written === "person" ? "sql_query" : "model_query";
  if (kind === "rejected" || kind === "invalid") return invalidArgument({ field, description: message });
  return failedPrecondition(message, { reason: "STATEMENT_FAILED", metadata: { kind } });
}

/** What came of a statement, with the chart of its rows where they make one. */
export function withChart(outcome: StatementOutcome): StatementOutcome {
  const { result } = outcome;
  const plan = result && planChart(result);
  return plan ? { ...outcome, chart: vegaConfig(plan) } : outcome;
}
