import type { Egress } from "#base";
import { failedPrecondition, invalidArgument, unavailable } from "#status";
import { QueryError, type SqlSource, type TablePath, type Warehouse } from "./contract.ts";
import { createEngines, type Engines } from "./engines.ts";
import { openLooker } from "./looker/open-looker.ts";
import { closest } from "./mapping/claims.ts";
import { type Wanted, type WantedDatabase, wantedTables } from "./mapping/wanted-tables.ts";
import type { BigQueryAccess, PostgresMapping, WarehouseConfig } from "./mapping/warehouse-config.ts";

/**
 * Creates the warehouse. An engine is opened at the first question to it, so that a server without data pays nothing for it.
 * `egress`: the way to Looker instances. Default none.
 */
export function createWarehouse(config: WarehouseConfig, egress?: Pick<Egress, "fetch">): Warehouse {
  const engines = createEngines(config);
  return {
    async open({ references }, credentials, viewParameters = {}) {
      try {
        if (references.case === "looker") {
          return openLooker(references.value, credentials, { egress, instances: config.looker ?? [] });
        }
        const wanted = wantedTables(references, config.studio ?? {});
        return await openWanted(wanted, config, engines, viewParameters);
      } catch (error) {
        throw error instanceof QueryError ? unavailable(error.message, { reason: "DATABASE_UNAVAILABLE" }) : error;
      }
    },
    close: () => engines.close(),
  };
}

type Parameters = Readonly<Record<string, string>>;
type Found = SqlSource | { readonly missing: readonly TablePath[] };

/** Every table must be with one engine: a question is one statement, and no statement reads two engines. */
async function openWanted(
  wanted: Wanted,
  config: WarehouseConfig,
  engines: Engines,
  parameters: Parameters,
): Promise<SqlSource> {
  const places = placesOf(wanted, config);
  const [place, other] = [...new Set(places)];
  if (other) throw mixed(wanted);
  if (place?.kind === "postgres") return told(await openPostgres(wanted, place.mapping, engines, parameters));
  refuseParameters(parameters);
  if (place?.kind === "bigquery") {
    if (wanted.database) throw otherKind(wanted.database);
    const bigquery = await engines.bigquery(place.access);
    return told(await bigquery.source(wanted.tables));
  }
  const duckdb = await engines.duckdb();
  const { database } = wanted;
  const tables =
    wanted.tables.length > 0 || !database ? wanted.tables : await duckdb.tables(database.project, database.dataset);
  return told(
    await duckdb.source(tables.length > 0 || !database ? tables : [[database.project, database.dataset, "*"]]),
  );
}

type Place =
  | { readonly kind: "files" }
  | { readonly kind: "postgres"; readonly mapping: PostgresMapping }
  | { readonly kind: "bigquery"; readonly access: BigQueryAccess };

/** Where each table is: by the mapping that names it most closely. What no mapping names is looked for among files, which say so. */
function placesOf({ tables, database }: Wanted, config: WarehouseConfig): readonly Place[] {
  const files: Place = { kind: "files" };
  const postgres = new Map(
    (config.postgres ?? []).map((mapping) => [mapping, { kind: "postgres", mapping } satisfies Place]),
  );
  const bigquery = config.bigquery ?? [];
  const accesses = new Map(
    bigquery.map(({ access }) => [access, { kind: "bigquery", access } satisfies Place] as const),
  );
  const mappings = [
    ...config.sources.map(({ name }) => ({ name, place: files })),
    ...[...postgres].map(([{ name }, place]) => ({ name, place })),
    ...bigquery.map(({ name, access }) => ({ name, place: accesses.get(access) ?? files })),
  ];
  if (!database) return tables.map((path) => closest(mappings, path)?.place ?? files);
  for (const project of database.projects) {
    const found = closest(
      mappings.filter(({ name: [first] }) => first !== "*" || project === database.project),
      [project, database.dataset],
    );
    if (found) return [found.place];
  }
  return [files];
}

function openPostgres(
  { tables, database }: Wanted,
  mapping: PostgresMapping,
  engines: Engines,
  parameters: Parameters,
): Promise<Found> {
  if (database) refuseEngine(database);
  const [[project = "", dataset = ""] = []] = tables;
  const names = database ? { project: database.project, dataset: database.dataset } : { project, dataset };
  return engines.postgres(mapping).then((opened) => opened.source({ ...names, tables }, parameters));
}

function refuseEngine({ engine, project, dataset }: WantedDatabase): void {
  if (engine === "any" || engine === "postgresql") return;
  throw invalidArgument({
    field: "context.datasource_references",
    description: `engine says ${engine}, but ${project}.${dataset} is a PostgreSQL database`,
  });
}

function otherKind({ project, dataset }: WantedDatabase) {
  return invalidArgument({
    field: "context.datasource_references",
    description: `${project}.${dataset} is mapped to BigQuery; name its tables in bq.table_references`,
  });
}

function refuseParameters(parameters: Parameters): void {
  const keys = Object.keys(parameters);
  if (keys.length === 0) return;
  throw failedPrecondition(
    `context.parameterized_secure_view_parameters: the database takes no parameters of secure views (${keys.join(", ")}), so the rows they would keep back would be shown. Leave them out, or map a PostgreSQL database that has such views.`,
    { reason: "SECURE_VIEWS_NOT_SUPPORTED", metadata: { parameters: keys.join(",") } },
  );
}

function mixed({ tables }: Wanted) {
  return invalidArgument({
    field: "context.datasource_references",
    description: `${tables.map((path) => path.join(".")).join(", ")} are not all in one database; a question reads one`,
  });
}

function told(source: Found): SqlSource {
  if (!("missing" in source)) return source;
  const [first = []] = source.missing;
  const names = source.missing.map((path) => path.join(".")).join(", ");
  throw failedPrecondition(
    `No data is mapped to ${names}. Map it in the configuration, e.g. warehouse.sources: { "${first.slice(0, 2).join(".")}": "./folder-or-database" }.`,
    { reason: "TABLE_NOT_MAPPED", metadata: { tables: names } },
  );
}
