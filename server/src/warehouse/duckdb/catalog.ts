import type { DuckDBConnection } from "@duckdb/node-api";
import type { Column, ForeignKey, TablePath, TableSchema } from "../contract.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { toColumn } from "./column-types.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";

/** A table of the context, and the table that has its comments and keys. */
export interface ContextTable extends ScopedTable {
  /** The table that a view over an attached database reads; else the table itself. */
  readonly baseTable: TablePath;
  /** The state of the file that has the rows, as it is now. */
  readonly version: () => string;
}

/** The schema of one table: types from its columns, comments and keys from the catalog of its base table. */
export async function describeTable(
  connection: DuckDBConnection,
  table: ContextTable,
  pathOf: (baseTable: TablePath) => TablePath | undefined,
): Promise<TableSchema> {
  const [columns, info, constraints] = [
    await readColumns(connection, table.internalName),
    await readTableInfo(connection, table.baseTable),
    await readConstraints(connection, table.baseTable),
  ];
  const comments = await readComments(connection, table.baseTable);
  const required = new Set(
    constraints.filter(({ type }) => type === "NOT NULL").flatMap(({ columns: names }) => names),
  );
  const primaryKey = constraints.find(({ type }) => type === "PRIMARY KEY")?.columns;
  const foreignKeys = constraints.flatMap((constraint) => toForeignKey(constraint, table.baseTable, pathOf));
  return {
    path: table.path,
    ...(info.comment && { description: info.comment }),
    columns: columns.map((column) => withColumnInfo(column, required, comments.get(column.name))),
    ...(primaryKey && { primaryKey }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(info.rowCount !== undefined && { rowCount: info.rowCount }),
    version: table.version(),
  };
}

function withColumnInfo(column: Column, required: ReadonlySet<string>, comment: string | undefined): Column {
  const mode = column.mode === "NULLABLE" && required.has(column.name) ? "REQUIRED" : column.mode;
  return { ...column, mode, ...(comment && { description: comment }) };
}

async function readColumns(connection: DuckDBConnection, internalName: TablePath): Promise<readonly Column[]> {
  const statement = await connection.prepare(`SELECT * FROM ${internalName.map(quoteName).join(".")}`);
  return Array.from({ length: statement.columnCount }, (_, at) =>
    toColumn(statement.columnName(at), statement.columnType(at)),
  );
}

async function readTableInfo(connection: DuckDBConnection, baseTable: TablePath) {
  const rows = await read(connection, "comment, estimated_size", "duckdb_tables()", "table_name", baseTable);
  const [[comment, size] = []] = rows;
  return {
    comment: typeof comment === "string" ? comment : "",
    rowCount: size === undefined || size === null ? undefined : Number(size),
  };
}

async function readComments(connection: DuckDBConnection, baseTable: TablePath): Promise<ReadonlyMap<string, string>> {
  const rows = await read(connection, "column_name, comment", "duckdb_columns()", "table_name", baseTable);
  return new Map(
    rows.flatMap(([name, comment]) => (typeof comment === "string" ? [[String(name), comment] as const] : [])),
  );
}

interface Constraint {
  readonly type: string;
  readonly columns: readonly string[];
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
}

async function readConstraints(connection: DuckDBConnection, baseTable: TablePath): Promise<readonly Constraint[]> {
  const fields =
    "constraint_type, to_json(constraint_column_names), coalesce(referenced_table, ''), to_json(coalesce(referenced_column_names, []))";
  const rows = await read(connection, fields, "duckdb_constraints()", "table_name", baseTable);
  return rows.map(([type, columns, referencedTable, referencedColumns]) => ({
    type: String(type),
    columns: JSON.parse(String(columns)),
    referencedTable: String(referencedTable),
    referencedColumns: JSON.parse(String(referencedColumns)),
  }));
}

function toForeignKey(
  { type, columns, referencedTable, referencedColumns }: Constraint,
  baseTable: TablePath,
  pathOf: (baseTable: TablePath) => TablePath | undefined,
): readonly ForeignKey[] {
  if (type !== "FOREIGN KEY") return [];
  const table = pathOf([...baseTable.slice(0, -1), referencedTable]);
  return table ? [{ columns, table, referencedColumns }] : [];
}

/** Reads one of DuckDB's catalog functions for a table. */
async function read(connection: DuckDBConnection, what: string, from: string, column: string, baseTable: TablePath) {
  const [database = "", schema = "", table = ""] = baseTable;
  const reader = await connection.runAndReadAll(
    `SELECT ${what} FROM ${from} WHERE database_name = ${quoteText(database)} AND schema_name = ${quoteText(schema)} AND ${column} = ${quoteText(table)}`,
  );
  return reader.getRows();
}
