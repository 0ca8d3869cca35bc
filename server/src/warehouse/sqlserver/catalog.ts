import type { TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import { toKeyPart } from "../remote/declared-keys.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import type { ReadCatalog } from "../remote/statement-client.ts";
import { SQLSERVER_DIALECT } from "./dialect.ts";
import { typeOf } from "./wire-types.ts";

/** Tables and views. */
const OBJECTS = `sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0`;

/** Comments of a table, or of a column where `column` is its id. */
function commentOf(column: string): string {
  return `(SELECT CAST(p.value AS NVARCHAR(4000)) FROM sys.extended_properties AS p
     WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = ${column} AND p.name = N'MS_Description')`;
}

/** Tables and views that the login may see. */
export async function listTables(
  read: ReadCatalog,
  catalog: string,
  signal: AbortSignal,
): Promise<readonly FoundTable[]> {
  const rows = await read(`SELECT s.name, o.name FROM ${OBJECTS} ORDER BY 1, 2`, signal);
  return foundTables(rows, catalog);
}

/** Columns, comments, row counts and keys. */
export async function describeTables(
  read: ReadCatalog,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const within = `s.name IN (${schemaList(scope, SQLSERVER_DIALECT.quoteText)})`;
  const [tables, columns, primary, foreign] = await Promise.all([
    read(
      `SELECT s.name, o.name, ${commentOf("0")}, (SELECT SUM(n.rows) FROM sys.partitions AS n WHERE n.object_id = o.object_id AND n.index_id IN (0, 1))
       FROM ${OBJECTS} WHERE ${within}`,
      signal,
    ),
    read(
      `SELECT s.name, o.name, c.name, COALESCE(TYPE_NAME(c.system_type_id), TYPE_NAME(c.user_type_id)), c.is_nullable, ${commentOf("c.column_id")}
       FROM ${OBJECTS} JOIN sys.columns AS c ON c.object_id = o.object_id WHERE ${within} ORDER BY s.name, o.name, c.column_id`,
      signal,
    ),
    read(
      `SELECT s.name, o.name, i.name, c.name FROM ${OBJECTS} JOIN sys.indexes AS i ON i.object_id = o.object_id AND i.is_primary_key = 1
       JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
       JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
       WHERE ${within} ORDER BY s.name, o.name, i.name, k.key_ordinal`,
      signal,
    ),
    read(
      `SELECT s.name, o.name, f.name, c.name, u.name, t.name, d.name FROM ${OBJECTS} JOIN sys.foreign_keys AS f ON f.parent_object_id = o.object_id
       JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
       JOIN sys.columns AS c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
       JOIN sys.objects AS t ON t.object_id = k.referenced_object_id JOIN sys.schemas AS u ON u.schema_id = t.schema_id
       JOIN sys.columns AS d ON d.object_id = k.referenced_object_id AND d.column_id = k.referenced_column_id
       WHERE ${within} ORDER BY s.name, o.name, f.name, k.constraint_column_id`,
      signal,
    ),
  ]);
  return describedTables(scope, {
    tables: tables.map(([schema, table, comment, rowCount]) => ({ schema, table, comment, rowCount })),
    columns: columns.map(([schema, table, name, type, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: { name: String(name), type: typeOf(String(type)), mode: "NULLABLE" },
    })),
    keys: [...primary, ...foreign].map(toKeyPart),
  });
}
