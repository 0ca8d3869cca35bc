import { type QueryCheck, QueryError, type QueryParameter, type TableSchema, type TableView } from "../contract.ts";
import { checkStatement as writeStatement } from "../remote/statement/check-statement.ts";
import { rejected, rejectionMessage } from "../statement-check/statement-check.ts";
import { tableKey } from "../table-key.ts";
import { BIGQUERY_DIALECT } from "./dialect.ts";
import { type BigQueryScope, dryRun } from "./dry-run.ts";
import type { BigQueryStatement } from "./query-job.ts";
import { checkStatement } from "./statement-check/check-statement.ts";

/** A statement that may run, and what its dry run told; or what is wrong with it. */
type CheckedBigQueryStatement =
  | { readonly statement: BigQueryStatement; readonly check: Extract<QueryCheck, { kind: "accepted" }> }
  | { readonly check: Exclude<QueryCheck, { kind: "accepted" }> };

interface Asked {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** Tables of which the caller sees a part. */
  readonly views: readonly TableView[];
}

/**
 * Checks a statement by its tokens and a dry run. Where rules show the caller a part of tables, it is written anew first (CA-42) with their SELECTs in the places of their
 * names (CA-49), and no view may read such a table: a view has its own rows.
 */
export async function checkBigQueryStatement(
  scope: BigQueryScope,
  schemas: readonly TableSchema[],
  { sql, parameters, views }: Asked,
  signal: AbortSignal,
): Promise<CheckedBigQueryStatement> {
  if (views.length === 0) return checked(await dryRun(scope, { sql, parameters }, signal), { sql, parameters });
  const rejection = checkStatement(sql);
  if (rejection) return { check: rejection };
  const written = writeStatement(sql, BIGQUERY_DIALECT, {
    ...{ scope: schemas.map(({ path }) => ({ path, origin: path })), parameters, views },
    columns: schemas.flatMap(({ columns }) => columns.map(({ name }) => name)),
  });
  if (written.kind !== "valid") return { check: written };
  const statement = { sql: written.sql, parameters: [] };
  const check = await dryRun(scope, statement, signal);
  if (check.kind !== "accepted") return { check };
  const named = new Set(written.tables.map(tableKey));
  const ruled = new Set(views.map(({ path }) => tableKey(path)));
  const opened = check.tables.find((path) => ruled.has(tableKey(path)) && !named.has(tableKey(path)));
  if (opened) return { check: throughView(opened) };
  // BigQuery lists what a statement reads in all: of each view alone too, so that a table which is also named is found behind it.
  for (const { path, reads } of schemas) {
    if (!reads || !named.has(tableKey(path))) continue;
    const alone = `SELECT 1 FROM ${BIGQUERY_DIALECT.quoteName(path.join("."))}`;
    const own = await dryRun(scope, { sql: alone, parameters: [] }, signal);
    if (own.kind !== "accepted") return { check: own };
    const behind = own.tables.find((one) => tableKey(one) !== tableKey(path) && ruled.has(tableKey(one)));
    if (behind) return { check: throughView(behind) };
  }
  return { check, statement };
}

function checked(check: QueryCheck, statement: BigQueryStatement): CheckedBigQueryStatement {
  return check.kind === "accepted" ? { check, statement } : { check };
}

/** The statement and its dry run. Throws `QueryError` for one that may not run. */
export function orQueryError(result: CheckedBigQueryStatement) {
  if ("statement" in result) return result;
  throw result.check.kind === "rejected"
    ? new QueryError("rejected", rejectionMessage(result.check))
    : new QueryError("invalid", result.check.error);
}

function throughView(path: readonly string[]) {
  return rejected(path.join("."), "a view reads it, and rules show a part of it only");
}
