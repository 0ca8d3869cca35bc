import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import { invalidArgument, unsupported } from "#status";
import type { TablePath } from "../contract.ts";

/** What data source references name: tables, or all tables of a database. */
export interface RequestedTables {
  /** Empty: all tables of `database`. */
  readonly tables: readonly TablePath[];
  /** A cloud database (AlloyDB, Cloud SQL, Spanner); absent for BigQuery tables. */
  readonly database?: RequestedDatabase;
}

/** The cloud database that a reference names, as the configuration may map it. */
export interface RequestedDatabase {
  readonly project: string;
  /** Names that the configuration may map it by, the most specific first: `project/region/instance`, …, `project`. */
  readonly projects: readonly string[];
  readonly dataset: string;
  /** Its SQL dialect, where the reference names it. */
  readonly engine: "postgresql" | "mysql" | "googlesql" | "any";
}

type References = DatasourceReferences["references"];
type DatabaseReferences = Extract<References, { case: "alloydb" | "spannerReference" | "cloudSqlReference" }>;

/** Reads references of every kind except Looker's. Throws the errors of `Warehouse.open`. */
export function readReferences(references: References, studio: Readonly<Record<string, TablePath>>): RequestedTables {
  switch (references.case) {
    case "bq":
      return fromBigQueryReferences(references.value);
    case "studio":
      return { tables: references.value.studioReferences.map(({ datasourceId }) => studioTable(datasourceId, studio)) };
    case "alloydb":
    case "spannerReference":
    case "cloudSqlReference":
      return fromDatabaseReferences(references);
    default:
      throw invalidArgument({
        field: "context.datasource_references",
        description: "name the tables to ask, e.g. bq.table_references with project_id, dataset_id and table_id",
      });
  }
}

function fromBigQueryReferences({
  tableReferences,
  propertyGraphReferences,
}: Extract<References, { case: "bq" }>["value"]): RequestedTables {
  const [graph] = propertyGraphReferences;
  if (graph && tableReferences.length > 0) {
    throw invalidArgument({
      field: "context.datasource_references.bq",
      description: "table_references and property_graph_references exclude each other",
    });
  }
  if (graph) {
    const { projectId, datasetId, propertyGraphId } = graph;
    throw unsupported(
      `The property graph ${projectId}.${datasetId}.${propertyGraphId} cannot be asked: no engine of this server runs graph queries (GQL). ` +
        "Name the tables of the graph in context.datasource_references.bq.table_references instead.",
    );
  }
  if (tableReferences.length === 0) {
    throw invalidArgument({
      field: "context.datasource_references.bq.table_references",
      description: "at least one table is needed",
    });
  }
  const catalog = tableReferences.findIndex(
    ({ datasetId, tableId }) => /^information_schema$/i.test(datasetId) || /^information_schema(\.|$)/i.test(tableId),
  );
  if (catalog >= 0) {
    throw invalidArgument({
      field: `context.datasource_references.bq.table_references[${catalog}]`,
      description: "INFORMATION_SCHEMA describes the server, not data; name the tables themselves",
    });
  }
  return { tables: tableReferences.map(({ projectId, datasetId, tableId }) => [projectId, datasetId, tableId]) };
}

/** A Looker Studio data source has an id and no table name; the configuration maps it to a table. */
function studioTable(id: string, studio: Readonly<Record<string, TablePath>>): TablePath {
  const table = Object.hasOwn(studio, id) ? studio[id] : undefined;
  if (table) return table;
  throw invalidArgument({
    field: "context.datasource_references.studio.studio_references",
    description: `the data source '${id}' of Looker Studio is not known here; map it in the configuration: warehouse.studio: { "${id}": "project.dataset.table" }`,
  });
}

/** A database is mapped by its project and name, or also by its instance. Without tables, all of its tables are meant. */
function fromDatabaseReferences(references: DatabaseReferences): RequestedTables {
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
      projects: mappedProjectNames(references),
      dataset: databaseId,
      engine: engineOf(references),
    },
  };
}

function mappedProjectNames(references: DatabaseReferences): readonly string[] {
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

function engineOf(references: DatabaseReferences): RequestedDatabase["engine"] {
  switch (references.case) {
    case "alloydb":
      return "postgresql";
    case "spannerReference":
      return (["any", "googlesql", "postgresql"] as const)[references.value.databaseReference?.engine ?? 0] ?? "any";
    case "cloudSqlReference":
      return (["any", "postgresql", "mysql"] as const)[references.value.databaseReference?.engine ?? 0] ?? "any";
  }
}
