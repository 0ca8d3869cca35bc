import type { TableSchema } from "../contract.ts";
import type { FoundTable, ScopedTable } from "../remote/contract.ts";
import type { KeyPart } from "../remote/declared-keys.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import { CATALOG, type ReadCatalog, type StatementClient } from "../remote/statement-client.ts";
import { SNOWFLAKE_DIALECT } from "./dialect.ts";
import { typeOf } from "./wire-types.ts";

/** Tables and views of the database that the role may read. */
export async function listTables(
  read: ReadCatalog,
  database: string,
  signal: AbortSignal,
): Promise<readonly FoundTable[]> {
  const rows = await read(
    `SELECT TABLE_SCHEMA, TABLE_NAME FROM ${informationSchema(database)}.TABLES WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY 1, 2`,
    signal,
  );
  return foundTables(rows, database);
}

/** Columns, comments, row counts and declared keys. */
export async function describeTables(
  client: StatementClient,
  database: string,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const within = `TABLE_SCHEMA IN (${schemaList(scope, SNOWFLAKE_DIALECT.quoteText)})`;
  const read = async (sql: string) => (await client.query(sql, CATALOG, signal)).rows;
  const information = informationSchema(database);
  const [tables, columns, keys] = await Promise.all([
    read(`SELECT TABLE_SCHEMA, TABLE_NAME, ROW_COUNT, COMMENT FROM ${information}.TABLES WHERE ${within}`),
    read(
      `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, NUMERIC_SCALE, IS_NULLABLE, COMMENT FROM ${information}.COLUMNS
       WHERE ${within} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
    ),
    readKeys(client, database, signal),
  ]);
  return describedTables(scope, {
    tables: tables.map(([schema, table, rowCount, comment]) => ({ schema, table, rowCount, comment })),
    columns: columns.map(([schema, table, name, type, scale, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: { name: String(name), type: typeOf(String(type), Number(scale ?? 0)), mode: "NULLABLE" },
    })),
    keys,
  });
}

function informationSchema(database: string): string {
  return `${SNOWFLAKE_DIALECT.quoteName(database)}.INFORMATION_SCHEMA`;
}

/** Keys are in no view that has their columns, but SHOW tells them, a row a column. */
async function readKeys(client: StatementClient, database: string, signal: AbortSignal): Promise<readonly KeyPart[]> {
  const show = async (what: string) => {
    const sql = `SHOW ${what} KEYS IN DATABASE ${SNOWFLAKE_DIALECT.quoteName(database)}`;
    const { columns, rows } = await client.query(sql, CATALOG, signal);
    const named = rows.map((row) => new Map(columns.map(({ name }, at) => [name, String(row[at] ?? "")])));
    return named.toSorted((one, other) => Number(one.get("key_sequence")) - Number(other.get("key_sequence")));
  };
  const [primary, imported] = await Promise.all([show("PRIMARY"), show("IMPORTED")]);
  return [
    ...primary.map((row) => ({
      ...{ schema: row.get("schema_name") ?? "", table: row.get("table_name") ?? "" },
      ...{ constraint: row.get("constraint_name") ?? "", column: row.get("column_name") ?? "" },
    })),
    ...imported.map((row) => ({
      ...{ schema: row.get("fk_schema_name") ?? "", table: row.get("fk_table_name") ?? "" },
      ...{ constraint: row.get("fk_name") ?? "", column: row.get("fk_column_name") ?? "" },
      refersTo: {
        ...{ schema: row.get("pk_schema_name") ?? "", table: row.get("pk_table_name") ?? "" },
        column: row.get("pk_column_name") ?? "",
      },
    })),
  ];
}
