import type { TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import { toKeyPart } from "../remote/declared-keys.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import type { ReadCatalog } from "../remote/statement-client.ts";
import { DATABRICKS_DIALECT } from "./dialect.ts";
import { toColumn } from "./wire-types.ts";

/** Tables and views of a catalog of Unity Catalog that the caller may see. */
export async function listTables(
  read: ReadCatalog,
  catalog: string,
  signal: AbortSignal,
): Promise<readonly FoundTable[]> {
  const rows = await read(
    `SELECT table_schema, table_name FROM ${informationSchema(catalog)}.tables WHERE table_schema <> 'information_schema' ORDER BY 1, 2`,
    signal,
  );
  return foundTables(rows, catalog);
}

/** Columns, comments and declared keys. */
export async function describeTables(
  read: ReadCatalog,
  catalog: string,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const information = informationSchema(catalog);
  const list = schemaList(scope, DATABRICKS_DIALECT.quoteText);
  const [tables, columns, keys] = await Promise.all([
    read(`SELECT table_schema, table_name, comment FROM ${information}.tables WHERE table_schema IN (${list})`, signal),
    read(
      `SELECT table_schema, table_name, column_name, full_data_type, is_nullable, comment FROM ${information}.columns
       WHERE table_schema IN (${list}) ORDER BY table_schema, table_name, ordinal_position`,
      signal,
    ),
    read(
      `SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name, u.table_schema, u.table_name, u.column_name
       FROM ${information}.key_column_usage AS k
       LEFT JOIN ${information}.referential_constraints AS r ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name
       LEFT JOIN ${information}.key_column_usage AS u ON u.constraint_schema = r.unique_constraint_schema
         AND u.constraint_name = r.unique_constraint_name AND u.ordinal_position = k.position_in_unique_constraint
       WHERE k.table_schema IN (${list}) ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`,
      signal,
    ),
  ]);
  return describedTables(scope, {
    tables: tables.map(([schema, table, comment]) => ({ schema, table, comment })),
    columns: columns.map(([schema, table, name, type, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: toColumn(String(name), String(type)),
    })),
    keys: keys.map(toKeyPart),
  });
}

function informationSchema(catalog: string): string {
  return `${DATABRICKS_DIALECT.quoteName(catalog)}.information_schema`;
}
