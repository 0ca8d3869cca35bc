import type { JsonObject } from "#base";
import { type QueryCheck, QueryError, type TablePath } from "../contract.ts";
import type { BigQueryClient } from "./bigquery-client.ts";
import { refusalOf } from "./gate/pass-gate.ts";
import { keyOf } from "./names.ts";
import { type Question, queryConfiguration } from "./query-job.ts";
import { toColumn, toPath } from "./table-schema.ts";
import { countAt, objectAt, objectsAt, textAt } from "./wire-fields.ts";

/** Who asks, where, and of what. */
export interface BigQueryScope {
  readonly client: BigQueryClient;
  /** The project that pays and holds the jobs. */
  readonly project: string;
  /** Where the tables are. Default: BigQuery finds out by the tables. */
  readonly location?: string;
  readonly tables: readonly TablePath[];
}

/** BigQuery's own list of referenced tables is complete below this. */
const LISTED_TABLES = 50;

/**
 * Both walls: the gate over the text, then BigQuery's dry run, which costs nothing and says what the statement is, which tables
 * and routines it comes to (behind views too) and how much it would read. Rejects only where BigQuery cannot be asked.
 */
export async function dryRun(scope: BigQueryScope, question: Question, signal: AbortSignal): Promise<QueryCheck> {
  const refusal = refusalOf(question.sql);
  if (refusal) return refusal;
  const { project, location, client } = scope;
  const body = {
    jobReference: { projectId: project, ...(location && { location }) },
    configuration: { dryRun: true, query: queryConfiguration({ sql: question.sql, parameters: question.parameters }) },
  };
  try {
    const job = await client.call({ method: "POST", path: `${encodeURIComponent(project)}/jobs`, body, signal });
    return judged(job, scope.tables);
  } catch (error) {
    if (error instanceof QueryError && error.kind === "invalid") return { kind: "invalid", error: error.message };
    throw error;
  }
}

/** What a dry run says, held against the scope. */
function judged(job: JsonObject, scope: readonly TablePath[]): QueryCheck {
  const query = objectAt(job, "statistics", "query");
  const statement = textAt(query, "statementType");
  if (statement !== "SELECT")
    return { kind: "refused", construct: statement || "the statement", reason: "only a SELECT answers a question" };
  const [routine] = objectsAt(query, "referencedRoutines");
  if (routine) {
    const construct = ["projectId", "datasetId", "routineId"].map((key) => textAt(routine, key)).join(".");
    return { kind: "refused", construct, reason: "a function of its own may do anything" };
  }
  const tables = objectsAt(query, "referencedTables").map(toPath);
  if (tables.length >= LISTED_TABLES)
    return { kind: "refused", construct: `${tables.length} tables`, reason: "BigQuery does not list that many" };
  const known = new Set(scope.map(keyOf));
  const stranger = tables.find((path) => !known.has(keyOf(path)));
  if (stranger) return { kind: "refused", construct: stranger.join("."), reason: "the context does not refer to it" };
  const scannedBytes = countAt(job, "statistics", "totalBytesProcessed");
  return {
    kind: "accepted",
    columns: objectsAt(query, "schema", "fields").map(toColumn),
    tables,
    ...(scannedBytes !== undefined && { scannedBytes }),
  };
}
