import { definedFields, type JsonObject, nonEmptyFields } from "#base";
import { type QueryCheck, QueryError, type TablePath } from "../contract.ts";
import { rejected } from "../statement-check/statement-check.ts";
import { tableKey } from "../table-key.ts";
import type { BigQueryClient } from "./bigquery-client.ts";
import { countAt, objectAt, objectsAt, textAt } from "./json-fields.ts";
import { type BigQueryStatement, queryConfiguration } from "./query-job.ts";
import { checkStatement } from "./statement-check/check-statement.ts";
import { toColumn, toPath } from "./table-schema.ts";

/** The client, project, location and tables of a query. */
export interface BigQueryScope {
  readonly client: BigQueryClient;
  /** The project that has the jobs and is billed. */
  readonly project: string;
  /** Where the tables are. Default: BigQuery derives it from the tables. */
  readonly location?: string;
  readonly tables: readonly TablePath[];
}

/** BigQuery's list of referenced tables is complete below this length. */
const MAX_REFERENCED_TABLES = 50;

/**
 * Checks a statement twice: its tokens, then by BigQuery's dry run, which is free and returns the type of the statement, the tables
 * and routines that it references (also through views) and the bytes that it would scan. Rejects only where BigQuery cannot be called.
 */
export async function dryRun(
  scope: BigQueryScope,
  statement: BigQueryStatement,
  signal: AbortSignal,
): Promise<QueryCheck> {
  const rejection = checkStatement(statement.sql);
  if (rejection) return rejection;
  const { project, location, client } = scope;
  const body = {
    jobReference: { projectId: project, ...nonEmptyFields({ location }) },
    configuration: {
      dryRun: true,
      query: queryConfiguration({ sql: statement.sql, parameters: statement.parameters }),
    },
  };
  try {
    const job = await client.call({ method: "POST", path: `${encodeURIComponent(project)}/jobs`, body, signal });
    return evaluateDryRun(job, scope.tables);
  } catch (error) {
    if (error instanceof QueryError && error.kind === "invalid") return { kind: "invalid", error: error.message };
    throw error;
  }
}

/** Compares the result of a dry run with the scope. */
function evaluateDryRun(job: JsonObject, scope: readonly TablePath[]): QueryCheck {
  const query = objectAt(job, "statistics", "query");
  const statementType = textAt(query, "statementType");
  if (statementType !== "SELECT") return rejected(statementType || "the statement", "only a SELECT answers a question");
  const [routine] = objectsAt(query, "referencedRoutines");
  if (routine) {
    const construct = ["projectId", "datasetId", "routineId"].map((key) => textAt(routine, key)).join(".");
    return rejected(construct, "user-defined functions are not allowed");
  }
  const tables = objectsAt(query, "referencedTables").map(toPath);
  if (tables.length >= MAX_REFERENCED_TABLES)
    return rejected(`${tables.length} tables`, "BigQuery does not list that many");
  const known = new Set(scope.map(tableKey));
  const outside = tables.find((path) => !known.has(tableKey(path)));
  if (outside) return rejected(outside.join("."), "the context does not refer to it");
  const scannedBytes = countAt(job, "statistics", "totalBytesProcessed");
  return {
    kind: "accepted",
    columns: objectsAt(query, "schema", "fields").map(toColumn),
    tables,
    ...definedFields({ scannedBytes }),
  };
}
