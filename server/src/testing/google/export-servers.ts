import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type GoogleReply, type GoogleServer, startGoogleServer } from "./google-server.ts";
import { publishedTypes } from "./published-type.ts";

/** Tables of BigQuery as rows are written to them. */
interface BigQueryTables extends GoogleServer {
  /** The rows of a table, `project.dataset.table`; undefined when there is no such table. */
  rows(table: string): readonly JsonObject[] | undefined;
}

const TABLES = /^\/bigquery\/v2\/projects\/([^/]+)\/datasets\/([^/]+)\/tables$/;
const INSERT = /^\/bigquery\/v2\/projects\/([^/]+)\/datasets\/([^/]+)\/tables\/([^/]+)\/insertAll$/;

interface Table {
  readonly fields: readonly JsonValue[];
  readonly rows: Map<string, JsonObject>;
}

/**
 * BigQuery at the edge for writers: `tables.insert` and `tabledata.insertAll`, with the checks that the real one makes of rows. A row with a
 * known `insertId` is taken and not stored again. `broken` answers the next calls, one each.
 */
export async function startBigQueryTables({
  datasets,
  broken = [],
}: {
  /** `project.dataset`. */
  readonly datasets: readonly string[];
  readonly broken?: readonly { readonly status: number; readonly errorMessage: string }[];
}): Promise<BigQueryTables> {
  const tables = new Map<string, Table>();
  const problems = [...broken];
  const check = publishedTypes("google/cloud/bigquery/v2/table.proto");
  const server = await startGoogleServer(({ path, message }): GoogleReply => {
    const problem = problems.shift();
    if (problem) return problem;
    const [, ...dataset] = TABLES.exec(path) ?? [];
    if (dataset.length > 0) {
      const unknown = check("google.cloud.bigquery.v2.Table", message);
      if (unknown.length > 0) return { status: 400, errorMessage: `Unknown name ${unknown.join(", ")}` };
      return created(message, dataset.join("."));
    }
    const [, ...place] = INSERT.exec(path) ?? [];
    const table = tables.get(place.join("."));
    if (!table) return { status: 404, errorMessage: `Not found: Table ${place.join(".")}` };
    return inserted(table, message);
  });

  function created(message: JsonObject, dataset: string): GoogleReply {
    const { tableReference, schema } = message;
    if (!datasets.includes(dataset)) return { status: 404, errorMessage: `Not found: Dataset ${dataset}` };
    if (!isJsonObject(tableReference) || !isJsonObject(schema) || !Array.isArray(schema.fields))
      return { status: 400, errorMessage: "Required parameter is missing" };
    const name = `${dataset}.${String(tableReference.tableId)}`;
    if (tables.has(name)) return { status: 409, errorMessage: `Already Exists: Table ${name}` };
    tables.set(name, { fields: schema.fields, rows: new Map() });
    return message;
  }

  return {
    ...server,
    rows: (name) => {
      const table = tables.get(name);
      return table && [...table.rows.values()];
    },
  };
}

function inserted(table: Table, { rows }: JsonObject): GoogleReply {
  const sent = Array.isArray(rows) ? rows.filter(isJsonObject) : [];
  const insertErrors = sent.flatMap(({ insertId, json }, index) => {
    const faults = faultsOf(table.fields, json);
    if (faults.length === 0 && isJsonObject(json)) table.rows.set(String(insertId), json);
    return faults.length === 0 ? [] : [{ index, errors: faults.map((message) => ({ reason: "invalid", message })) }];
  });
  return { kind: "bigquery#tableDataInsertAllResponse", ...(insertErrors.length > 0 && { insertErrors }) };
}

/** What of a record its schema does not allow. */
function faultsOf(fields: readonly JsonValue[], record: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(record)) return ["no record"];
  return Object.entries(record).flatMap(([name, value]) => {
    const field = fields.filter(isJsonObject).find((candidate) => candidate.name === name);
    if (!field) return [`no such field: ${name}`];
    const values = field.mode === "REPEATED" ? (Array.isArray(value) ? value : ["not repeated"]) : [value];
    if (field.type === "RECORD") return values.flatMap((item) => faultsOf(field.fields as readonly JsonValue[], item));
    return values.every((item) => isCell(String(field.type), item)) ? [] : [`no ${String(field.type)}: ${name}`];
  });
}

function isCell(type: string, value: JsonValue | undefined): boolean {
  if (type === "INTEGER") return Number.isInteger(value);
  if (typeof value !== "string") return false;
  if (type === "TIMESTAMP") return !Number.isNaN(Date.parse(value));
  return type !== "JSON" || isJson(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Cloud Logging as entries are written to it. */
interface CloudLogging extends GoogleServer {
  readonly entries: readonly JsonObject[];
}

/** Cloud Logging at the edge: `entries.write` by its published definition. An entry of 256 KB or more is rejected, as by the real one. */
export async function startCloudLogging(): Promise<CloudLogging> {
  const entries: JsonObject[] = [];
  const check = publishedTypes("google/logging/v2/logging.proto");
  const server = await startGoogleServer(({ path, message }): GoogleReply => {
    if (path !== "/v2/entries:write") return { status: 404, errorMessage: `Not found: ${path}` };
    const unknown = check("google.logging.v2.WriteLogEntriesRequest", message);
    if (unknown.length > 0) return { status: 400, errorMessage: `Unknown name ${unknown.join(", ")}` };
    const sent = Array.isArray(message.entries) ? message.entries.filter(isJsonObject) : [];
    if (sent.some((entry) => JSON.stringify(entry).length > 256_000))
      return { status: 400, errorMessage: "Log entry with size exceeds maximum size of 256.0K" };
    entries.push(...sent);
    return {};
  });
  return { ...server, entries };
}
