import { QueryError, type SqlSource, type TablePath, type TableSchema } from "../contract.ts";
import type { BigQueryAccess } from "../mapping/warehouse-config.ts";
import { type BigQueryClient, createBigQueryClient } from "./bigquery-client.ts";
import { createBigQuerySource } from "./bigquery-source.ts";
import { objectsAt, textAt } from "./json-fields.ts";
import { toTableSchema } from "./table-schema.ts";

/** BigQuery with one access. */
export interface BigQueryWarehouse {
  /** A source over these tables, or those that do not exist. */
  source(tables: readonly TablePath[]): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** The tables of a dataset, or of all datasets of a project. Rejects with `QueryError`. */
  names(project: string, dataset?: string): Promise<readonly (readonly [dataset: string, table: string])[]>;
  close(): Promise<void>;
}

const DESCRIBE_MS = 30_000;

export function openBigQueryWarehouse(access: BigQueryAccess): BigQueryWarehouse {
  const client = createBigQueryClient(access);
  const { project, location } = access;
  return {
    async source(tables) {
      const signal = AbortSignal.timeout(DESCRIBE_MS);
      const found = await Promise.all(tables.map((path) => describeTable(client, path, signal)));
      const missing = tables.filter((_, at) => found[at] === undefined);
      if (missing.length > 0) return { missing };
      const schemas = found.filter((schema) => schema !== undefined);
      const scope = { client, project: project ?? tables[0]?.[0] ?? "", tables, ...(location && { location }) };
      return createBigQuerySource(scope, schemas);
    },
    async names(of, dataset) {
      const signal = AbortSignal.timeout(DESCRIBE_MS);
      const datasets =
        dataset === undefined ? await listed(client, of, "datasets", "datasetReference", signal) : [dataset];
      const tables = await Promise.all(
        datasets.map(async (id) => {
          const place = `datasets/${encodeURIComponent(id)}/tables`;
          const names = await listed(client, of, place, "tableReference", signal);
          return names.map((name) => [id, name] as const);
        }),
      );
      return tables.flat();
    },
    close: () => client.close(),
  };
}

/** All pages of `datasets.list` or `tables.list`: the ids of what they list. */
async function listed(
  client: BigQueryClient,
  project: string,
  place: string,
  reference: "datasetReference" | "tableReference",
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [kind, id] = reference === "datasetReference" ? ["datasets", "datasetId"] : ["tables", "tableId"];
  const names: string[] = [];
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams({ maxResults: "1000", ...(pageToken && { pageToken }) });
    const path = `${encodeURIComponent(project)}/${place}?${query}`;
    const page = await client.call({ method: "GET", path, signal });
    names.push(...objectsAt(page, kind ?? "").map((one) => textAt(one, reference, id ?? "")));
    pageToken = textAt(page, "nextPageToken");
    if (pageToken === "") return names;
  }
}

/** `tables.get`; undefined where there is no such table. */
async function describeTable(
  client: BigQueryClient,
  path: TablePath,
  signal: AbortSignal,
): Promise<TableSchema | undefined> {
  const [project = "", dataset = "", table = ""] = path.map(encodeURIComponent);
  try {
    const call = { method: "GET" as const, path: `${project}/datasets/${dataset}/tables/${table}`, signal };
    return toTableSchema(path, await client.call(call));
  } catch (error) {
    if (error instanceof QueryError && error.kind === "invalid") return undefined;
    if (signal.aborted) throw new QueryError("failed", "BigQuery does not answer.", error);
    throw error;
  }
}
