import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListDataTablesRequest,
  ListDataTablesRequestSchema,
  type ListDataTablesResponseSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import { Code, ConnectError } from "#status";
import {
  QueryError,
  type SqlSource,
  type TablePath,
  type TableSchema,
  tableKey,
  type UnreachableSource,
  type Warehouse,
} from "#warehouse";
import { toDatasource } from "../chat/data-result.ts";

interface ListDeps {
  readonly warehouse: Pick<Warehouse, "open" | "tables" | "databaseOf" | "connections">;
  /** Connected databases that the caller is shown. */
  readonly datasets: readonly string[];
  /** The source as the caller sees it. */
  readonly ruled: (source: SqlSource) => SqlSource;
  readonly signal: AbortSignal;
}

const PAGES = { defaultSize: 50, maxSize: 200 };

/**
 * (CA-55) The mapped tables by name, with their columns as the caller sees them. A table that rules hide is left out, so that a page may be shorter;
 * a database that does not answer is told beside the others.
 */
export async function listDataTables(
  request: ListDataTablesRequest,
  { warehouse, datasets, ruled, signal }: ListDeps,
): Promise<MessageInitShape<typeof ListDataTablesResponseSchema>> {
  const size = pageSizeOf(request.pageSize, PAGES);
  const checksum = requestChecksum(ListDataTablesRequestSchema, request);
  const after = decodePageToken(request.pageToken, checksum, "name");
  const { tables, unreachable } = await allTables(request.parent.split("/")[1] ?? "", datasets, warehouse);
  const words = request.query.toLowerCase().split(/\s+/);
  const matches = (path: TablePath) => words.every((word) => path.join(".").toLowerCase().includes(word));
  const found = tables.filter((path) => matches(path) && (after === undefined || tableKey(path) > after));
  const page = found.slice(0, size);
  const described = await describe(page, { warehouse, ruled, signal });
  return {
    dataTables: page.flatMap((path) => described.schemas.get(tableKey(path)) ?? []).map(toDatasource),
    nextPageToken: found.length > size ? encodePageToken(tableKey(page.at(-1) ?? []), checksum) : "",
    unreachableSources: [...unreachable, ...described.unreachable],
  };
}

/** The tables that the configuration maps, and those of connected databases, in the order of their names. */
async function allTables(project: string, datasets: readonly string[], warehouse: ListDeps["warehouse"]) {
  const lists = await Promise.all([
    warehouse.tables(project),
    ...datasets.map((dataset) => tablesOf(project, dataset, warehouse)),
  ]);
  return {
    tables: lists.flatMap(({ tables }) => tables).toSorted((one, other) => (tableKey(one) < tableKey(other) ? -1 : 1)),
    unreachable: lists.flatMap(({ unreachable }) => unreachable),
  };
}

async function tablesOf(
  project: string,
  dataset: string,
  { connections }: ListDeps["warehouse"],
): ReturnType<Warehouse["tables"]> {
  try {
    return { tables: (await connections?.tables(dataset)) ?? [], unreachable: [] };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { tables: [], unreachable: [{ source: `${project}.${dataset}`, message: error.message }] };
  }
}

/** The schemas of tables, read from each database at once. */
async function describe(page: readonly TablePath[], deps: Omit<ListDeps, "datasets">) {
  const schemas = new Map<string, TableSchema>();
  const unreachable: UnreachableSource[] = [];
  const groups = Map.groupBy(page, (path) => `${deps.warehouse.databaseOf(path)}\0${path[1]}`);
  const read = async (paths: readonly TablePath[], name: string): Promise<void> => {
    try {
      for (const schema of await describeTables(paths, deps)) schemas.set(tableKey(schema.path), schema);
    } catch (error) {
      // One file that cannot be read keeps none of its folder away.
      if (isOfOne(error) && paths.length > 1) for (const path of paths) await read([path], path.join("."));
      else unreachable.push({ source: name, message: reasonFor(error) });
    }
  };
  await Promise.all([...groups.values()].map((paths) => read(paths, (paths[0] ?? []).slice(0, 2).join("."))));
  return { schemas, unreachable };
}

async function describeTables(
  paths: readonly TablePath[],
  { warehouse, ruled, signal }: Omit<ListDeps, "datasets">,
): Promise<readonly TableSchema[]> {
  const source = await warehouse.open(referencesTo(paths));
  return source.kind === "sql" ? ruled(source).describe(signal) : [];
}

/** Whether an error may be of one of several tables: of a file, or of a name. */
function isOfOne(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.FailedPrecondition;
}

/** What becomes of a database that went away, or lost a table, since its tables were listed. */
const GONE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.FailedPrecondition]);

/** Why the tables of a database could not be described. Throws what is no such reason. */
function reasonFor(error: unknown): string {
  if (error instanceof QueryError) return error.message;
  if (error instanceof ConnectError && GONE.has(error.code)) return error.rawMessage;
  throw error;
}

function referencesTo(paths: readonly TablePath[]) {
  const tableReferences = paths.map(([projectId = "", datasetId = "", tableId = ""]) => ({
    projectId,
    datasetId,
    tableId,
  }));
  return create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
}
