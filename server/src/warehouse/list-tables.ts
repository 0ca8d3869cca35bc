import { type ListedTables, QueryError } from "./contract.ts";
import type { Engines } from "./engines.ts";
import { mostSpecificMapping } from "./mapping/most-specific.ts";
import type { TablePattern, WarehouseConfig } from "./mapping/warehouse-config.ts";
import { tableKey } from "./table-key.ts";

/** A table by its dataset and name. */
type NamedTable = readonly [dataset: string, table: string];

/** Databases of one name in the configuration, and how their tables are listed. */
interface ListedMapping {
  readonly name: TablePattern;
  /** All datasets where none is given. */
  readonly names: (dataset: string | undefined) => Promise<readonly NamedTable[]>;
}

/**
 * The tables that the configuration maps, by the names that references have, in their order; `anyProject` is the project of those that are mapped under any. A database
 * that does not answer is told beside the others. Databases that are mapped by an instance are left out: references of their own kind name their tables.
 */
export async function listTables(anyProject: string, config: WarehouseConfig, engines: Engines): Promise<ListedTables> {
  const mappings = databasesOf(anyProject, config, engines);
  const all = [...config.sources, ...mappings];
  const listed = await Promise.all(
    [
      { owners: config.sources, list: fileTables(anyProject, config, engines) },
      ...mappings.map((mapping) => ({ owners: [mapping], list: tablesOf(anyProject, mapping) })),
    ].map(async ({ owners, list }) => ({ owners: new Set<{ readonly name: TablePattern }>(owners), ...(await list) })),
  );
  const owned = listed.flatMap(({ owners, tables }) =>
    // A name may be under several mappings: it is a table of that which names it most specifically.
    tables.filter((path) => {
      const owner = mostSpecificMapping(all, path);
      return owner !== undefined && owners.has(owner);
    }),
  );
  return {
    tables: owned.toSorted((one, other) => (tableKey(one) < tableKey(other) ? -1 : 1)),
    unreachable: listed.flatMap(({ unreachable }) => unreachable),
  };
}

/** The tables of files and DuckDB databases, which one engine opens together. */
async function fileTables(anyProject: string, { sources }: WarehouseConfig, engines: Engines): Promise<ListedTables> {
  if (sources.length === 0) return { tables: [], unreachable: [] };
  const engine = await engines.duckdb().catch(() => undefined);
  if (!engine)
    return { tables: [], unreachable: sources.map(({ name }) => ({ source: sourceOf(name), message: NOT_OPENED })) };
  const { tables, unreachable } = await engine.tables();
  return { tables: tables.map(([project = "", ...rest]) => [spelled(project, anyProject), ...rest]), unreachable };
}

const NOT_OPENED = "No file can be read, because a DuckDB database of the configuration cannot be opened.";

function sourceOf(name: TablePattern): string {
  return name.filter(Boolean).join(".");
}

function spelled(project: string, anyProject: string): string {
  return project === "*" ? anyProject : project;
}

function databasesOf(
  anyProject: string,
  { postgres = [], remote = [], bigquery = [] }: WarehouseConfig,
  engines: Engines,
): readonly ListedMapping[] {
  const mappings: readonly ListedMapping[] = [
    ...[...postgres, ...remote].map((one) => ({
      name: one.name,
      names: async (of?: string) => (await engines.database(one)).names(of),
    })),
    ...bigquery.map(({ name, access }) => ({
      name,
      names: async (of?: string) => (await engines.bigquery(access)).names(spelled(name[0], anyProject), of),
    })),
  ];
  return mappings.filter(({ name: [project] }) => !project.includes("/"));
}

async function tablesOf(anyProject: string, { name, names }: ListedMapping): Promise<ListedTables> {
  const [project, dataset, table] = name;
  try {
    const found: readonly NamedTable[] = dataset && table ? [[dataset, table]] : await names(dataset);
    return { tables: found.map((path) => [spelled(project, anyProject), ...path]), unreachable: [] };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { tables: [], unreachable: [{ source: sourceOf([project, dataset]), message: error.message }] };
  }
}
