import { definedFields, type JsonObject, nonEmptyFields } from "#base";
import type { Column, ForeignKey, TablePath, TableSchema } from "../contract.ts";
import { countAt, objectAt, objectsAt, textAt, textsAt } from "./json-fields.ts";

/** A table from `tables.get`. Keys are those that BigQuery declares and does not enforce; views have no row count. */
export function toTableSchema(path: TablePath, table: JsonObject): TableSchema {
  const description = textAt(table, "description");
  const primaryKey = textsAt(table, "tableConstraints", "primaryKey", "columns");
  const foreignKeys = objectsAt(table, "tableConstraints", "foreignKeys").map(toForeignKey);
  const rowCount = textAt(table, "type") === "VIEW" ? undefined : countAt(table, "numRows");
  const reads = readsOf(table);
  return {
    path,
    ...nonEmptyFields({ description }),
    columns: objectsAt(table, "schema", "fields").map(toColumn),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...definedFields({ rowCount, reads }),
  };
}

/** Of a view, the last parts of all names in its statement. */
function readsOf(table: JsonObject): readonly string[] | undefined {
  if (!/VIEW/.test(textAt(table, "type"))) return undefined;
  const sql = textAt(table, "view", "query") || textAt(table, "materializedView", "query");
  const names = sql.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** The parts of a `TableReference`. */
export function toPath(reference: JsonObject): TablePath {
  return ["projectId", "datasetId", "tableId"].map((key) => textAt(reference, key));
}

/** A column from a `TableFieldSchema`, which has the older names of types. */
export function toColumn(field: JsonObject): Column {
  const type = textAt(field, "type");
  const mode = textAt(field, "mode");
  const description = textAt(field, "description");
  const fields = objectsAt(field, "fields").map(toColumn);
  return {
    name: textAt(field, "name"),
    type: NAMES[type] ?? type,
    mode: mode === "REQUIRED" || mode === "REPEATED" ? mode : "NULLABLE",
    ...nonEmptyFields({ description }),
    ...(fields.length > 0 && { fields }),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  INTEGER: "INT64",
  FLOAT: "FLOAT64",
  BOOLEAN: "BOOL",
  RECORD: "STRUCT",
};

function toForeignKey(key: JsonObject): ForeignKey {
  const pairs = objectsAt(key, "columnReferences");
  return {
    columns: pairs.map((pair) => textAt(pair, "referencingColumn")),
    table: toPath(objectAt(key, "referencedTable")),
    referencedColumns: pairs.map((pair) => textAt(pair, "referencedColumn")),
  };
}
