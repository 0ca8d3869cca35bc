import { create } from "@bufbuild/protobuf";
import type { Context } from "@frontdesk/protos/gda/context";
import {
  BigQueryTableReferenceSchema,
  BigQueryTableReferencesSchema,
  DatasourceReferencesSchema,
  type BigQueryTableReference as TableReference,
} from "@frontdesk/protos/gda/datasource";
import type { TableName } from "../data-chat/table-name.ts";

/** The tables of a context, to be changed in place; undefined where its source is not one of tables. */
export function tablesOf({ datasourceReferences }: Context): TableReference[] | undefined {
  const { references } = datasourceReferences ?? {};
  if (references?.case === undefined) return [];
  return references.case === "bq" ? references.value.tableReferences : undefined;
}

/** Adds a table to a context whose source is one of tables, or none. */
export function addTable(context: Context, name: TableName): void {
  const table = create(BigQueryTableReferenceSchema, name);
  const { references } = context.datasourceReferences ?? {};
  if (references?.case === "bq") references.value.tableReferences.push(table);
  else {
    const value = create(BigQueryTableReferencesSchema, { tableReferences: [table] });
    context.datasourceReferences = create(DatasourceReferencesSchema, { references: { case: "bq", value } });
  }
}
