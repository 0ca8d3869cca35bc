import type { TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import { toKeyPart } from "../remote/declared-keys.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import { MYSQL_DIALECT } from "./dialect.ts";
import { typeOfColumn } from "./wire-types.ts";

/** Runs a statement of ours; cells are texts. */
type ReadCatalog = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** Every table and view that can be read, except those of the server's own catalog. */
export async function listTables(read: ReadCatalog): Promise<readonly FoundTable[]> {
  const rows = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES
     WHERE TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') AND TABLE_TYPE <> 'SEQUENCE' ORDER BY 1, 2`,
  );
  return foundTables(rows);
}

/** Table schemas: columns, comments, keys, and the engine's estimate of rows. */
export async function describeTables(
  read: ReadCatalog,
  scope: readonly ScopedTable[],
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const within = `TABLE_SCHEMA IN (${schemaList(scope, MYSQL_DIALECT.quoteText)})`;
  const tables = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, CASE TABLE_TYPE WHEN 'VIEW' THEN '' ELSE TABLE_COMMENT END FROM information_schema.TABLES WHERE ${within}`,
  );
  const columns = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT FROM information_schema.COLUMNS
     WHERE ${within} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  const keys = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
     FROM information_schema.KEY_COLUMN_USAGE WHERE ${within} AND (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_NAME IS NOT NULL)
     ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,
  );
  return describedTables(scope, {
    tables: tables.map(([schema, table, rowCount, comment]) => ({ schema, table, rowCount, comment })),
    columns: columns.map(([schema, table, name, dataType, columnType, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: { name: name ?? "", type: typeOfColumn(dataType ?? "", columnType ?? ""), mode: "NULLABLE" },
    })),
    keys: keys.map(toKeyPart),
  });
}
