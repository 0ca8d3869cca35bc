import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { type JsonObject, type JsonValue, objectsIn } from "#base";
import type { createGoogleService } from "#session";
import { ConnectError } from "#status";
import { TABLE_DEFINITION } from "./bigquery-rows.ts";
import type { Destination } from "./destination.ts";

type GoogleService = ReturnType<typeof createGoogleService>;

/** Rows of a batch that the service will never take, with its reason, by their place in the batch. */
type RejectedRows = ReadonlyMap<number, string>;

/** Sends a batch. Rejects with a status error when nothing of it was stored. */
export type Send = (rows: readonly JsonObject[], signal: AbortSignal) => Promise<RejectedRows>;

interface Access {
  readonly service: GoogleService;
  readonly endpoint?: string;
}

type Table = Extract<Destination, { kind: "bigquery" }>;

/** Writes rows by `tabledata.insertAll`. Creates the table where the dataset has none. */
export function bigquerySender({ service, endpoint = "https://bigquery.googleapis.com" }: Access, table: Table): Send {
  const dataset = `${endpoint}/bigquery/v2/projects/${encodeURIComponent(table.project)}/datasets/${encodeURIComponent(table.dataset)}`;

  async function insert(rows: readonly JsonObject[], signal: AbortSignal): Promise<RejectedRows> {
    const request = { skipInvalidRows: true, ignoreUnknownValues: true, rows: [...rows] };
    return insertErrors(await service.post(`${dataset}/tables/${table.table}/insertAll`, request, signal));
  }

  async function createTable(signal: AbortSignal): Promise<void> {
    const { project: projectId, dataset: datasetId, table: tableId } = table;
    const definition = { tableReference: { projectId, datasetId, tableId }, ...TABLE_DEFINITION };
    await service.post(`${dataset}/tables`, definition, signal).catch((error: unknown) => {
      if (httpStatus(error) !== 409) throw error;
    });
  }

  return async (rows, signal) => {
    try {
      return await insert(rows, signal);
    } catch (error) {
      if (httpStatus(error) !== 404) throw error;
      await createTable(signal);
      return insert(rows, signal);
    }
  };
}

function insertErrors({ insertErrors: errors }: JsonObject): RejectedRows {
  const found = objectsIn(errors);
  return new Map(found.map((error) => [Number(error.index), reasonsOf(error.errors)]));
}

function reasonsOf(errors: JsonValue | undefined): string {
  const found = objectsIn(errors);
  return found.map(({ reason, message }) => `${String(reason)}: ${String(message)}`).join("; ");
}

/** Writes entries by `entries.write`. */
export function loggingSender({ service, endpoint = "https://logging.googleapis.com" }: Access): Send {
  return async (rows, signal) => {
    await service.post(`${endpoint}/v2/entries:write`, { partialSuccess: true, entries: [...rows] }, signal);
    return new Map();
  };
}

/** The HTTP status that a service of Google answered with; undefined for another error. */
export function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const [info] = error.findDetails(ErrorInfoSchema);
  return info?.metadata.httpStatus === undefined ? undefined : Number(info.metadata.httpStatus);
}
