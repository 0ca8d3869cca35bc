import { inParallel, nonEmptyFields } from "#base";
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
/** Datasets whose tables are listed at once. */
const DATASETS_AT_ONCE = 8;

/** Connects nothing: the first question does. */
export function openBigQueryWarehouse(access: BigQueryAccess): BigQueryWarehouse {
  const client = createBigQueryClient(access);
  const { project, location } = access;
  return {
    async source(tables) {
      const found = await withinTime((signal) =>
        Promise.all(tables.map((path) => describeTable(client, path, signal))),
      );
      const missing = tables.filter((_, at) => found[at] === undefined);
      if (missing.length > 0) return { missing };
      const schemas = found.filter((schema) => schema !== undefined);
      const scope = { client, project: project ?? tables[0]?.[0] ?? "", tables, ...nonEmptyFields({ location }) };
      return createBigQuerySource(scope, schemas);
    },
    names: (of, dataset) =>
      withinTime(async (signal) => {
        const call = { client, project: of, signal };
        const names: (readonly [dataset: string, table: string])[] = [];
        const datasets = dataset === undefined ? await listed(call, "datasets") : [dataset];
        await inParallel(datasets, DATASETS_AT_ONCE, signal, async (id) => {
          const tables = await listed(call, "tables", `datasets/${encodeURIComponent(id)}/`);
          for (const table of tables) names.push([id, table]);
        });
        return names;
      }),
    close: () => client.close(),
  };
}

/** What is read of a catalog has a time in all. Rejects with `QueryError` when it is over. */
async function withinTime<Result>(read: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(DESCRIBE_MS);
  return read(signal).catch((error: unknown) => {
    throw signal.aborted ? new QueryError("failed", "BigQuery does not answer.", error) : error;
  });
}

/** Where the items of a list have their ids. */
const IDS = { datasets: ["datasetReference", "datasetId"], tables: ["tableReference", "tableId"] } as const;

/** All pages of `datasets.list` or `tables.list`: the ids of what they list. `below`: where in the project, with a slash behind it. */
async function listed(
  {
    client,
    project,
    signal,
  }: { readonly client: BigQueryClient; readonly project: string; readonly signal: AbortSignal },
  kind: keyof typeof IDS,
  below = "",
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams({ maxResults: "1000", ...nonEmptyFields({ pageToken }) });
    const path = `${encodeURIComponent(project)}/${below}${kind}?${query}`;
    const page = await client.call({ method: "GET", path, signal });
    names.push(...objectsAt(page, kind).map((one) => textAt(one, ...IDS[kind])));
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
    throw error;
  }
}
