import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "@frontdesk/protos/gda/context";
import type { DatasourceSchema } from "@frontdesk/protos/gda/datasource";
import type { TablePath } from "#warehouse";

type DatasourceReference = NonNullable<MessageInitShape<typeof DatasourceSchema>["reference"]>;

/** The reference of a table, by its path and its index among the tables of the context. */
type ReferenceOf = (path: TablePath, at: number) => DatasourceReference;

/**
 * References to tables in the kind that the context has: of a database of the cloud, the database with that one table; of Looker
 * Studio, the data source; else the BigQuery table.
 */
export function referencesOf({ datasourceReferences }: Pick<Context, "datasourceReferences">): ReferenceOf {
  const references = datasourceReferences?.references;
  switch (references?.case) {
    case "alloydb": {
      const { databaseReference } = references.value;
      return (path) => ({
        case: "alloyDbReference",
        value: { ...(databaseReference && { databaseReference: oneTable(databaseReference, path) }) },
      });
    }
    case "spannerReference": {
      const { databaseReference } = references.value;
      return (path) => ({
        case: "spannerReference",
        value: { ...(databaseReference && { databaseReference: oneTable(databaseReference, path) }) },
      });
    }
    case "cloudSqlReference": {
      const { databaseReference } = references.value;
      return (path) => ({
        case: "cloudSqlReference",
        value: { ...(databaseReference && { databaseReference: oneTable(databaseReference, path) }) },
      });
    }
    case "studio": {
      const { studioReferences } = references.value;
      return (_path, at) => ({ case: "studioDatasourceId", value: studioReferences[at]?.datasourceId ?? "" });
    }
    default:
      return ([projectId = "", datasetId = "", tableId = ""]) => ({
        case: "bigqueryTableReference",
        value: { projectId, datasetId, tableId },
      });
  }
}

/** The database with the one table of a data source, named as the context names its tables. */
function oneTable<Database extends { tableIds: string[]; databaseTableReferences: { tableId: string }[] }>(
  database: Database,
  path: TablePath,
): Database {
  const table = path.at(-1) ?? "";
  const literal = database.databaseTableReferences.filter(({ tableId }) => tableId === table);
  return { ...database, tableIds: literal.length > 0 ? [] : [table], databaseTableReferences: literal };
}
