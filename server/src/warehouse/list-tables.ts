import { QueryError, type TablePath, type UnreachableSource } from "./contract.ts";
import type { Engines } from "./engines.ts";
import { mostSpecificMapping } from "./mapping/most-specific.ts";
import type { TablePattern, WarehouseConfig } from "./mapping/warehouse-config.ts";

/** The names of the mapped tables, and what could not be asked for its own. */
interface ListedTables {
  readonly tables: readonly TablePath[];
  readonly unreachable: readonly UnreachableSource[];
}

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
  const [files, ...listed] = await Promise.all([
    config.sources.length > 0 ? fileTables(anyProject, engines) : [],
    ...mappings.map((mapping) => tablesOf(anyProject, mapping)),
  ]);
  const owned = [
    { mappings: config.sources as readonly { name: TablePattern }[], tables: files },
    ...listed.map(({ tables }, at) => ({ mappings: mappings.slice(at, at + 1), tables })),
  ].flatMap(({ mappings: own, tables }) =>
    // A name may be under several mappings: it is a table of that which names it most specifically.
    tables.filter((path) => {
      const owner = mostSpecificMapping(all, path);
      return own.some((one) => one === owner);
    }),
  );
  return {
    tables: owned.toSorted((one, other) => (one.join("\0") < other.join("\0") ? -1 : 1)),
    unreachable: listed.flatMap(({ unreachable }) => unreachable ?? []),
  };
}

async function fileTables(anyProject: string, engines: Engines): Promise<readonly TablePath[]> {
  const paths = await (await engines.duckdb()).tables();
  return paths.map(([project = "", ...rest]) => [spelled(project, anyProject), ...rest]);
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

async function tablesOf(
  anyProject: string,
  { name: [project, dataset, table], names }: ListedMapping,
): Promise<{ readonly tables: readonly TablePath[]; readonly unreachable?: UnreachableSource }> {
  try {
    const found: readonly NamedTable[] = dataset && table ? [[dataset, table]] : await names(dataset);
    return { tables: found.map((path) => [spelled(project, anyProject), ...path]) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return {
      tables: [],
      unreachable: { source: [project, dataset].filter(Boolean).join("."), message: error.message },
    };
  }
}
