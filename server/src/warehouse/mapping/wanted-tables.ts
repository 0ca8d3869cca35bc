import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import { invalidArgument, unimplemented } from "#status";
import type { TablePath } from "../contract.ts";

/** What references ask for: tables by name, or all tables of a database. */
export interface Wanted {
  /** Empty: all tables of `database`. */
  readonly tables: readonly TablePath[];
  /** A database of the cloud; absent for tables of BigQuery. */
  readonly database?: WantedDatabase;
}

export interface WantedDatabase {
  readonly project: string;
  /** Names under which the operator may have mapped it, the closest first: `project/region/instance`, …, `project`. */
  readonly projects: readonly string[];
  readonly dataset: string;
  /** What its SQL is, where the reference says so. */
  readonly engine: "postgresql" | "mysql" | "googlesql" | "any";
}

type References = DatasourceReferences["references"];
type DatabaseReferences = Extract<References, { case: "alloydb" | "spannerReference" | "cloudSqlReference" }>;

/** Reads the references of every kind but Looker's. Throws the refusals of `Warehouse.open`. */
export function wantedTables(references: References, studio: Readonly<Record<string, TablePath>>): Wanted {
  switch (references.case) {
    case "bq":
      return ofBigQuery(references.value);
    case "studio":
      return { tables: references.value.studioReferences.map(({ datasourceId }) => studioTable(datasourceId, studio)) };
    case "alloydb":
    case "spannerReference":
    case "cloudSqlReference":
      return ofDatabase(references);
    default:
      throw invalidArgument({
        field: "context.datasource_references",
        description: "name the tables to ask, e.g. bq.table_references with project_id, dataset_id and table_id",
      });
  }
}

function ofBigQuery({
  tableReferences,
  propertyGraphReferences,
}: Extract<References, { case: "bq" }>["value"]): Wanted {
  const [graph] = propertyGraphReferences;
  if (graph && tableReferences.length > 0) {
    throw invalidArgument({
      field: "context.datasource_references.bq",
      description: "table_references and property_graph_references exclude each other",
    });
  }
  if (graph) {
    const { projectId, datasetId, propertyGraphId } = graph;
    throw unimplemented(`Chat over the property graph ${projectId}.${datasetId}.${propertyGraphId}`);
  }
  if (tableReferences.length === 0) {
    throw invalidArgument({
      field: "context.datasource_references.bq.table_references",
      description: "at least one table is needed",
    });
  }
  const catalogue = tableReferences.findIndex(
    ({ datasetId, tableId }) => /^information_schema$/i.test(datasetId) || /^information_schema(\.|$)/i.test(tableId),
  );
  if (catalogue >= 0) {
    throw invalidArgument({
      field: `context.datasource_references.bq.table_references[${catalogue}]`,
      description: "INFORMATION_SCHEMA tells of the server, not of data; name the tables themselves",
    });
  }
  return { tables: tableReferences.map(({ projectId, datasetId, tableId }) => [projectId, datasetId, tableId]) };
}

/** A data source of Looker Studio has an id and no name; the operator says which table it shows. */
function studioTable(id: string, studio: Readonly<Record<string, TablePath>>): TablePath {
  const table = Object.hasOwn(studio, id) ? studio[id] : undefined;
  if (table) return table;
  throw invalidArgument({
    field: "context.datasource_references.studio.studio_references",
    description: `the data source '${id}' of Looker Studio is not known here; map it in the configuration: warehouse.studio: { "${id}": "project.dataset.table" }`,
  });
}

/** A database is mapped by its project and name, or by its instance too. Without tables, all of it is meant. */
function ofDatabase(references: DatabaseReferences): Wanted {
  const reference = references.value.databaseReference;
  if (!reference?.databaseId) {
    throw invalidArgument({
      field: "context.datasource_references",
      description: "database_reference needs project_id, instance_id and database_id",
    });
  }
  const { projectId, databaseId, tableIds, databaseTableReferences } = reference;
  const names = [...new Set([...tableIds, ...databaseTableReferences.map(({ tableId }) => tableId)])];
  return {
    tables: names.map((table) => [projectId, databaseId, table]),
    database: {
      project: projectId,
      projects: projectNames(references),
      dataset: databaseId,
      engine: engineOf(references),
    },
  };
}

function projectNames(references: DatabaseReferences): readonly string[] {
  const { projectId = "", instanceId = "" } = references.value.databaseReference ?? {};
  const within = [`${projectId}/${instanceId}`, projectId];
  switch (references.case) {
    case "alloydb": {
      const { region = "", clusterId = "" } = references.value.databaseReference ?? {};
      return [`${projectId}/${region}/${clusterId}/${instanceId}`, ...within];
    }
    case "cloudSqlReference":
      return [`${projectId}/${references.value.databaseReference?.region ?? ""}/${instanceId}`, ...within];
    case "spannerReference":
      return within;
  }
}

function engineOf(references: DatabaseReferences): WantedDatabase["engine"] {
  switch (references.case) {
    case "alloydb":
      return "postgresql";
    case "spannerReference":
      return (["any", "googlesql", "postgresql"] as const)[references.value.databaseReference?.engine ?? 0] ?? "any";
    case "cloudSqlReference":
      return (["any", "postgresql", "mysql"] as const)[references.value.databaseReference?.engine ?? 0] ?? "any";
  }
}
