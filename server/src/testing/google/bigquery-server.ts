import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type GoogleReply, type GoogleRequest, type GoogleServer, startGoogleServer } from "./google-server.ts";
import { type CheckMessage, publishedTypes } from "./published-type.ts";

/** The response to one statement. */
export interface BigQueryAnswer {
  /** Matches the statement's text. */
  readonly sql: RegExp;
  /** The result of the dry run. Default: a SELECT over the first table that reads 1,000 bytes. */
  readonly statementType?: string;
  readonly referencedTables?: readonly JsonObject[];
  readonly referencedRoutines?: readonly JsonObject[];
  readonly totalBytesProcessed?: number;
  readonly fields?: readonly JsonObject[];
  /** Rows of the API, `{f: [{v}]}`. */
  readonly rows?: readonly JsonObject[];
  /** Rows per page. Default all. */
  readonly pageSize?: number;
  /** Polls during which the job is still running; Infinity: until it is cancelled. Default 0. */
  readonly slowPolls?: number;
  /** The dry run returns an error. */
  readonly refuses?: BigQueryProblem;
  /** The job is created, and the first response is lost. */
  readonly lost?: boolean;
  /** The job ends with an error after the polls. */
  readonly failsLater?: BigQueryProblem;
  /** The job ends with an error. */
  readonly fails?: { readonly reason: string; readonly message: string };
}

/** An error of the interface. */
export interface BigQueryProblem {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

interface Job {
  readonly id: string;
  readonly answer: BigQueryAnswer;
  readonly fields: readonly JsonObject[];
  readonly made: JsonObject;
  polls: number;
}

interface State {
  readonly tables: readonly JsonObject[];
  readonly answers: readonly BigQueryAnswer[];
  readonly jobs: Map<string, Job>;
  readonly check: CheckMessage;
}

const JOBS = /^\/bigquery\/v2\/projects\/([^/]+)\/jobs$/;
const JOB = /^\/bigquery\/v2\/projects\/[^/]+\/jobs\/([^/]+)$/;
const CANCEL = /^\/bigquery\/v2\/projects\/[^/]+\/jobs\/([^/]+)\/cancel$/;
const RESULTS = /^\/bigquery\/v2\/projects\/[^/]+\/queries\/([^/]+)$/;
const DATASETS = /^\/bigquery\/v2\/projects\/([^/]+)\/datasets$/;
const TABLES = /^\/bigquery\/v2\/projects\/([^/]+)\/datasets\/([^/]+)\/tables$/;
const TABLE = /^\/bigquery\/v2\/projects\/([^/]+)\/datasets\/([^/]+)\/tables\/([^/]+)$/;

/**
 * BigQuery at the edge, version 2 of its REST interface: `datasets.list`, `tables.list`, `tables.get`, `jobs.insert` with and without dry run,
 * `jobs.getQueryResults` with pages, `jobs.cancel`. It runs no SQL: each statement gets the first answer that matches it.
 * `broken` answers the next calls, one each. A job that the published definition does not know is rejected.
 */
export async function startBigQuery({
  tables,
  answers,
  broken = [],
}: {
  /** `Table` resources. */
  readonly tables: readonly JsonObject[];
  readonly answers: readonly BigQueryAnswer[];
  readonly broken?: BigQueryProblem[];
}): Promise<GoogleServer> {
  const jobs = new Map<string, Job>();
  const check = publishedTypes("google/cloud/bigquery/v2/job.proto");
  return startGoogleServer((request) => {
    const problem = broken.shift();
    if (problem) return problemReply(problem);
    const url = new URL(request.path, "http://bigquery");
    const [, ...place] = TABLE.exec(url.pathname) ?? [];
    if (request.method === "GET" && place.length > 0) return tableReply(tables, place.map(decodeURIComponent));
    if (request.method === "GET" && DATASETS.test(url.pathname)) return datasetsReply(tables);
    const [, , dataset] = TABLES.exec(url.pathname) ?? [];
    if (request.method === "GET" && dataset) return tablesReply(tables, dataset, url.searchParams.get("pageToken"));
    const project = JOBS.exec(url.pathname)?.[1];
    if (request.method === "POST" && project) return inserted(request, { project, tables, answers, jobs, check });
    const known = jobs.get(JOB.exec(url.pathname)?.[1] ?? "");
    if (request.method === "GET" && known) return known.made;
    const cancelled = jobs.get(CANCEL.exec(url.pathname)?.[1] ?? "");
    if (request.method === "POST" && cancelled) return { kind: "bigquery#jobCancelResponse" };
    const job = jobs.get(RESULTS.exec(url.pathname)?.[1] ?? "");
    if (request.method === "GET" && job) return resultsReply(job, url.searchParams);
    return problemReply({ code: 404, reason: "notFound", message: `Not found: ${request.method} ${request.path}` });
  });
}

/** `datasets.list`, on one page. */
function datasetsReply(tables: readonly JsonObject[]): GoogleReply {
  const ids = new Set(tables.map(({ tableReference }) => partsOf(tableReference)[1]));
  return {
    kind: "bigquery#datasetList",
    datasets: [...ids].map((datasetId) => ({ datasetReference: { datasetId: datasetId ?? "" } })),
  };
}

/** `tables.list`, a table a page. */
function tablesReply(tables: readonly JsonObject[], dataset: string, pageToken: string | null): GoogleReply {
  const own = tables.filter(({ tableReference }) => partsOf(tableReference)[1] === dataset);
  const at = Number(pageToken ?? 0);
  const page = own.slice(at, at + 1).map(({ tableReference }) => ({ tableReference: tableReference ?? {} }));
  return { kind: "bigquery#tableList", tables: page, ...(at + 1 < own.length && { nextPageToken: String(at + 1) }) };
}

function tableReply(tables: readonly JsonObject[], place: readonly string[]): GoogleReply {
  const found = tables.find(({ tableReference }) => partsOf(tableReference).join(".") === place.join("."));
  const [project, dataset, table] = place;
  const message = `Not found: Table ${project}:${dataset}.${table}`;
  return found ?? problemReply({ code: 404, reason: "notFound", message });
}

function inserted(
  { message }: GoogleRequest,
  { project, tables, answers, jobs, check }: State & { readonly project: string },
): GoogleReply {
  const unknownFields = check("google.cloud.bigquery.v2.Job", message);
  if (unknownFields.length > 0)
    return problemReply({ code: 400, reason: "invalid", message: `Unknown name ${unknownFields.join(", ")}` });
  const { configuration, jobReference } = message;
  const query = isJsonObject(configuration) ? configuration.query : undefined;
  if (
    !isJsonObject(configuration) ||
    !isJsonObject(query) ||
    !isJsonObject(jobReference) ||
    query.useLegacySql !== false
  )
    return problemReply({ code: 400, reason: "invalid", message: "Required parameter is missing" });
  const answer = answers.find(({ sql }) => sql.test(String(query.query)));
  if (!answer) return problemReply({ code: 400, reason: "invalidQuery", message: `Syntax error: ${query.query}` });
  const fields = answer.fields ?? [];
  if (configuration.dryRun === true) return answer.refuses ? problemReply(answer.refuses) : dryReply(answer, tables);
  const id = String(jobReference.jobId);
  if (jobs.has(id)) return problemReply({ code: 409, reason: "duplicate", message: `Already Exists: Job ${id}` });
  const destinationTable = { projectId: project, datasetId: "_anonymous", tableId: `anon_${id.length}` };
  const made: JsonObject = {
    kind: "bigquery#job",
    jobReference: { location: "EU", ...jobReference },
    configuration: { ...configuration, query: { ...query, destinationTable } },
    status: answer.fails ? { state: "DONE", errorResult: answer.fails } : { state: "RUNNING" },
  };
  jobs.set(id, { id, answer, fields, made, polls: 0 });
  return answer.lost ? problemReply({ code: 503, reason: "backendError", message: "Try again" }) : made;
}

function dryReply(answer: BigQueryAnswer, [first]: readonly JsonObject[]): GoogleReply {
  const { statementType = "SELECT", referencedRoutines, totalBytesProcessed = 1_000 } = answer;
  const referencedTables =
    answer.referencedTables ?? (isJsonObject(first?.tableReference) ? [first.tableReference] : []);
  return {
    kind: "bigquery#job",
    status: { state: "DONE" },
    statistics: {
      totalBytesProcessed: String(totalBytesProcessed),
      query: {
        statementType,
        referencedTables: [...referencedTables],
        ...(referencedRoutines && { referencedRoutines: [...referencedRoutines] }),
        schema: { fields: [...(answer.fields ?? [])] },
      },
    },
  };
}

/** Milliseconds that a poll stays open. */
const POLL_MS = 10;

async function resultsReply(job: Job, query: URLSearchParams): Promise<GoogleReply> {
  const { rows = [], pageSize = rows.length, slowPolls = 0 } = job.answer;
  const jobReference = { jobId: job.id, location: query.get("location") ?? "" };
  if (job.polls++ < slowPolls) {
    await delay(POLL_MS);
    return { kind: "bigquery#getQueryResultsResponse", jobReference, jobComplete: false };
  }
  if (job.answer.failsLater) return problemReply(job.answer.failsLater);
  const from = Number(query.get("pageToken") ?? 0);
  const until = from + Math.min(pageSize, Number(query.get("maxResults") ?? rows.length));
  return {
    kind: "bigquery#getQueryResultsResponse",
    jobReference,
    jobComplete: true,
    schema: { fields: [...job.fields] },
    totalRows: String(rows.length),
    rows: rows.slice(from, until),
    ...(until < rows.length && { pageToken: String(until) }),
  };
}

function problemReply({ code, reason, message }: BigQueryProblem): GoogleReply {
  return { status: code, errorMessage: message, reason };
}

function partsOf(reference: JsonValue | undefined): readonly string[] {
  const parts = isJsonObject(reference) ? [reference.projectId, reference.datasetId, reference.tableId] : [];
  return parts.map(String);
}
