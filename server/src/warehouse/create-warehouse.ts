import { definedFields, type Egress, type Logger } from "#base";
import { failedPrecondition, invalidArgument, unavailable } from "#status";
import { createConnectedDatabases } from "./connections/connected-databases.ts";
import { QueryError, type SqlSource, type TablePath, type Warehouse } from "./contract.ts";
import { createEngines, type Engines } from "./engines.ts";
import { listTables } from "./list-tables.ts";
import { openLooker } from "./looker/open-looker.ts";
import type { MappedDatabase } from "./mapping/mapped-database.ts";
import { mostSpecificMapping } from "./mapping/most-specific.ts";
import { type RequestedDatabase, type RequestedTables, readReferences } from "./mapping/requested-tables.ts";
import type {
  BigQueryAccess,
  DatabaseMapping,
  PostgresMapping,
  RemoteMapping,
  TablePattern,
  WarehouseConfig,
} from "./mapping/warehouse-config.ts";
import { shortTermCache } from "./short-term-cache.ts";
import { withStatementLimits } from "./statement-check/statement-size.ts";
import { createUploads } from "./uploads/uploads.ts";

/**
 * Creates the warehouse. An engine is opened for the first query to it, so that a server without data sources pays nothing for it.
 * `egress`: sends requests to Looker instances; default none. `logger`: is told when an engine had to be started again.
 */
export function createWarehouse(
  config: WarehouseConfig,
  {
    egress,
    logger,
  }: { readonly egress?: Pick<Egress, "fetch" | "open" | "connect">; readonly logger?: Pick<Logger, "warn"> } = {},
): Warehouse {
  const engines = createEngines(config, logger);
  const connections = egress && createConnectedDatabases({ engines, egress, hosts: config.connectionHosts ?? [] });
  const all = () => withConnected(config, connections?.mappings() ?? []);
  return {
    async open({ references }, credentials, viewParameters = {}) {
      try {
        if (references.case === "looker") {
          return openLooker(references.value, credentials, { egress, instances: config.looker ?? [] });
        }
        const requested = readReferences(references, config.studio ?? {});
        return withStatementLimits(await openRequestedTables(requested, all(), engines, viewParameters));
      } catch (error) {
        throw error instanceof QueryError ? unavailable(error.message, { reason: "DATABASE_UNAVAILABLE" }) : error;
      }
    },
    tables: shortTermCache((project) => listTables(project, config, engines)),
    databaseOf: (path) => databaseOf(path, all()),
    ...(config.uploadDir !== undefined && { uploads: createUploads(config.uploadDir, engines) }),
    ...definedFields({ connections }),
    close: () => engines.close(),
  };
}

/** The configuration with the databases that people connected. */
function withConnected(config: WarehouseConfig, connected: readonly DatabaseMapping[]): WarehouseConfig {
  if (connected.length === 0) return config;
  const { postgres = [], remote = [] } = config;
  const isRemote = (mapping: DatabaseMapping): mapping is RemoteMapping => "engine" in mapping;
  return {
    ...config,
    postgres: [...postgres, ...connected.filter((mapping) => !isRemote(mapping))],
    remote: [...remote, ...connected.filter(isRemote)],
  };
}

/** Mappings with one connection string, one path or one access are of one database. */
function databaseOf(path: TablePath, config: WarehouseConfig): string | undefined {
  const { sources, postgres = [], remote = [], bigquery = [] } = config;
  const found = mostSpecificMapping([...sources, ...postgres, ...remote, ...bigquery], path);
  if (!found) return undefined;
  if ("path" in found) return `path ${found.path}`;
  if ("connectionString" in found) return `connection ${found.connectionString()}`;
  return "bigquery";
}

type Parameters = Readonly<Record<string, string>>;
type Found = SqlSource | { readonly missing: readonly TablePath[] };

/** All tables must be in one engine: a question is one statement, and a statement reads one engine. */
async function openRequestedTables(
  requested: RequestedTables,
  config: WarehouseConfig,
  engines: Engines,
  parameters: Parameters,
): Promise<SqlSource> {
  const [location, other] = [...new Set(locateTables(requested, config))];
  if (other) throw mixedSourcesError(requested);
  if (location?.kind === "postgres") {
    checkEngine(requested, "postgresql", "PostgreSQL");
    return orTablesNotMapped(await openDatabase(requested, engines.database(location.mapping), parameters));
  }
  rejectViewParameters(parameters);
  if (location?.kind === "remote") {
    checkEngine(requested, location.mapping.engine);
    return orTablesNotMapped(await openDatabase(requested, engines.database(location.mapping), parameters));
  }
  if (location?.kind === "bigquery") {
    if (requested.database) throw bigQueryMappedError(requested.database);
    const bigquery = await engines.bigquery(location.access);
    return orTablesNotMapped(await bigquery.source(requested.tables));
  }
  const duckdb = await engines.duckdb();
  const { database } = requested;
  const tables =
    requested.tables.length > 0 || !database
      ? requested.tables
      : (await duckdb.tables(database.project, database.dataset)).tables;
  return orTablesNotMapped(
    await duckdb.source(tables.length > 0 || !database ? tables : [[database.project, database.dataset, "*"]]),
  );
}

type TableLocation =
  | { readonly kind: "files" }
  | { readonly kind: "postgres"; readonly mapping: PostgresMapping }
  | { readonly kind: "remote"; readonly mapping: RemoteMapping }
  | { readonly kind: "bigquery"; readonly access: BigQueryAccess };

interface Located {
  readonly name: TablePattern;
  readonly location: TableLocation;
}

/** The location of each table, by the most specific mapping. Tables without a mapping are looked up among files, which report them as missing. */
function locateTables({ tables, database }: RequestedTables, config: WarehouseConfig): readonly TableLocation[] {
  const files: TableLocation = { kind: "files" };
  const postgres = new Map(
    (config.postgres ?? []).map((mapping) => [mapping, { kind: "postgres", mapping } satisfies TableLocation]),
  );
  const remote = (config.remote ?? []).map(
    (mapping) => ({ name: mapping.name, location: { kind: "remote", mapping } }) satisfies Located,
  );
  const bigquery = config.bigquery ?? [];
  const accesses = new Map(
    bigquery.map(({ access }) => [access, { kind: "bigquery", access } satisfies TableLocation] as const),
  );
  const mappings = [
    ...config.sources.map(({ name }) => ({ name, location: files })),
    ...[...postgres].map(([{ name }, location]) => ({ name, location })),
    ...remote,
    ...bigquery.map(({ name, access }) => ({ name, location: accesses.get(access) ?? files })),
  ];
  if (!database) return tables.map((path) => mostSpecificMapping(mappings, path)?.location ?? files);
  for (const project of database.projects) {
    const found = mostSpecificMapping(
      mappings.filter(({ name: [first] }) => first !== "*" || project === database.project),
      [project, database.dataset],
    );
    if (found) return [found.location];
  }
  return [files];
}

async function openDatabase(
  { tables, database }: RequestedTables,
  opened: Promise<MappedDatabase>,
  parameters: Parameters,
): Promise<Found> {
  const [[project = "", dataset = ""] = []] = tables;
  const names = database ? { project: database.project, dataset: database.dataset } : { project, dataset };
  return (await opened).source({ ...names, tables }, parameters);
}

/** References to databases of an instance say which engine it is. */
function checkEngine({ database }: RequestedTables, engine: string, title = engine): void {
  if (database && database.engine !== "any" && database.engine !== engine) throw engineError(database, title);
}

function engineError({ engine, project, dataset }: RequestedDatabase, found: string) {
  return invalidArgument({
    field: "context.datasource_references",
    description: `engine says ${engine}, but ${project}.${dataset} is a ${found} database`,
  });
}

function bigQueryMappedError({ project, dataset }: RequestedDatabase) {
  return invalidArgument({
    field: "context.datasource_references",
    description: `${project}.${dataset} is mapped to BigQuery; name its tables in bq.table_references`,
  });
}

function rejectViewParameters(parameters: Parameters): void {
  const keys = Object.keys(parameters);
  if (keys.length === 0) return;
  throw failedPrecondition(
    `context.parameterized_secure_view_parameters: the database has no parameterized secure views (${keys.join(", ")}), so the rows that they would hide would be shown. Leave them out, or map a PostgreSQL database that has such views.`,
    { reason: "SECURE_VIEWS_NOT_SUPPORTED", metadata: { parameters: keys.join(",") } },
  );
}

function mixedSourcesError({ tables }: RequestedTables) {
  return invalidArgument({
    field: "context.datasource_references",
    description: `${tables.map((path) => path.join(".")).join(", ")} are not all in one database; a question reads one database`,
  });
}

function orTablesNotMapped(source: Found): SqlSource {
  if (!("missing" in source)) return source;
  const [first = []] = source.missing;
  const names = source.missing.map((path) => path.join(".")).join(", ");
  throw failedPrecondition(
    `No data is mapped to ${names}. Map it in the configuration, e.g. warehouse.sources: { "${first.slice(0, 2).join(".")}": "./folder-or-database" }.`,
    { reason: "TABLE_NOT_MAPPED", metadata: { tables: names } },
  );
}
