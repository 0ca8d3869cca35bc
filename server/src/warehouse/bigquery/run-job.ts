import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, JsonValue } from "#base";
import { nonEmptyFields } from "#base";
import {
  type Column,
  cancelled,
  type QueryJob,
  type QueryLimits,
  type ResultSet,
  rowTooLarge,
  timedOut,
} from "../contract.ts";
import { toRow } from "./cell-value.ts";
import type { BigQueryScope } from "./dry-run.ts";
import { objectAt, objectsAt, textAt } from "./json-fields.ts";
import { errorFromJob, isDuplicate } from "./query-errors.ts";
import { type BigQueryStatement, queryConfiguration } from "./query-job.ts";
import { toColumn, toPath } from "./table-schema.ts";

/** Milliseconds that BigQuery keeps a poll open. */
const POLL_MS = 10_000;
/** Milliseconds between polls, where a proxy does not keep them open. */
const POLL_PAUSE_MS = 100;
const CANCEL_MS = 5_000;
const PAGE_ROWS = 5_000;

/** A job with an id of ours, so that it can be cancelled before the first response. */
interface JobRun extends BigQueryScope {
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a checked statement as a job and reads its rows until a limit. Rejects with `QueryError`; the timeout and an aborted signal
 * cancel the job.
 */
export async function runJob(
  scope: BigQueryScope,
  statement: BigQueryStatement,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<ResultSet> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const run: JobRun = { ...scope, jobId: `frontdesk_${randomUUID()}`, signal: AbortSignal.any([signal, timeout]) };
  let location = scope.location ?? "";
  try {
    run.signal.throwIfAborted();
    const job = await insert(run, statement, limits.timeoutMs);
    location = textAt(job, "jobReference", "location") || location;
    const failed = errorFromJob(job);
    if (failed) throw failed;
    const read = await readRows(run, location, limits);
    return { ...read, job: toJob(run, location, job), durationMs: performance.now() - startedAt };
  } catch (error) {
    if (!run.signal.aborted) throw error;
    await cancel(run, location);
    if (signal.aborted) throw cancelled(error);
    throw timedOut(limits, error);
  }
}

async function insert(run: JobRun, statement: BigQueryStatement, timeoutMs: number): Promise<JsonObject> {
  const { project, location, jobId, client, signal } = run;
  const configuration = {
    labels: { application: "frontdesk" },
    jobTimeoutMs: String(Math.ceil(timeoutMs)),
    query: queryConfiguration(statement),
  };
  const body = { jobReference: { projectId: project, jobId, ...nonEmptyFields({ location }) }, configuration };
  const path = `${encodeURIComponent(project)}/jobs`;
  try {
    return await client.call({ method: "POST", path, body, signal });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const query = location ? `?${new URLSearchParams({ location })}` : "";
    return client.call({ method: "GET", path: `${path}/${jobId}${query}`, signal });
  }
}

/** Waits for the job, then reads page after page until a limit. */
async function readRows(run: JobRun, location: string, { maxRows, maxBytes }: QueryLimits) {
  const rows: JsonValue[][] = [];
  let columns: readonly Column[] = [];
  let bytes = 0;
  for (let pageToken = ""; ; ) {
    const page = await readPage(run, location, pageToken, Math.min(PAGE_ROWS, maxRows - rows.length + 1));
    if (page.jobComplete !== true) {
      await delay(POLL_PAUSE_MS, undefined, { signal: run.signal });
      continue;
    }
    if (pageToken === "") columns = objectsAt(page, "schema", "fields").map(toColumn);
    for (const wire of objectsAt(page, "rows")) {
      const row = toRow(wire, columns);
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes && rows.length === 0) throw rowTooLarge(maxBytes);
      if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, truncated: true };
      rows.push(row);
    }
    pageToken = textAt(page, "pageToken");
    if (pageToken === "") return { columns, rows, truncated: false };
  }
}

function readPage(
  { project, jobId, client, signal }: JobRun,
  location: string,
  pageToken: string,
  maxResults: number,
): Promise<JsonObject> {
  const query = new URLSearchParams({
    maxResults: String(maxResults),
    timeoutMs: String(POLL_MS),
    "formatOptions.useInt64Timestamp": "true",
    ...nonEmptyFields({ location, pageToken }),
  });
  return client.call({ method: "GET", path: `${encodeURIComponent(project)}/queries/${jobId}?${query}`, signal });
}

/** Best effort: where the request is lost, the job's own timeout ends it. */
async function cancel({ project, jobId, client }: JobRun, location: string): Promise<void> {
  const query = location ? `?${new URLSearchParams({ location })}` : "";
  const path = `${encodeURIComponent(project)}/jobs/${jobId}/cancel${query}`;
  await client.call({ method: "POST", path, signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => undefined);
}

function toJob({ project, jobId }: JobRun, location: string, job: JsonObject): QueryJob {
  const destination = objectAt(job, "configuration", "query", "destinationTable");
  return { project, jobId, location, ...(textAt(destination, "tableId") && { destination: toPath(destination) }) };
}
