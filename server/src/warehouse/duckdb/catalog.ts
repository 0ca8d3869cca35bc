import type { DuckDBConnection } from "@duckdb/node-api";
import type { Column, ForeignKey, TablePath, TableSchema } from "../contract.ts";
import { toColumn } from "./column-types.ts";
import { quoteName, quoteText } from "./engine.ts";

/** Where a table's columns, comments and keys are kept: the table itself, or what its view reads. */
export interface TableOrigin {
  readonly path: TablePath;
  /** The name that the engine keeps it under; most often the path. */
  readonly place: TablePath;
  readonly origin: TablePath;
}

/** The schema of one table: types from its columns, comments and keys from its origin's catalogue. */
export async function describeTable(
  connection: DuckDBConnection,
  table: TableOrigin,
  pathOf: (origin: TablePath) => TablePath | undefined,
): Promise<TableSchema> {
  const [columns, facts, constraints] = [
    await readColumns(connection, table.place),
    await readFacts(connection, table.origin),
    await readConstraints(connection, table.origin),
  ];
  const comments = await readComments(connection, table.origin);
  const required = new Set(
    constraints.filter(({ type }) => type === "NOT NULL").flatMap(({ columns: names }) => names),
  );
  const primaryKey = constraints.find(({ type }) => type === "PRIMARY KEY")?.columns;
  const foreignKeys = constraints.flatMap((constraint) => toForeignKey(constraint, table.origin, pathOf));
  return {
    path: table.path,
    ...(facts.comment && { description: facts.comment }),
    columns: columns.map((column) => withFacts(column, required, comments.get(column.name))),
    ...(primaryKey && { primaryKey }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(facts.rowCount !== undefined && { rowCount: facts.rowCount }),
  };
}

function withFacts(column: Column, required: ReadonlySet<string>, comment: string | undefined): Column {
  const mode = column.mode === "NULLABLE" && required.has(column.name) ? "REQUIRED" : column.mode;
  return { ...column, mode, ...(comment && { description: comment }) };
}

async function readColumns(connection: DuckDBConnection, place: TablePath): Promise<readonly Column[]> {
  const statement = await connection.prepare(`SELECT * FROM ${place.map(quoteName).join(".")}`);
  return Array.from({ length: statement.columnCount }, (_, at) =>
    toColumn(statement.columnName(at), statement.columnType(at)),
  );
}

async function readFacts(connection: DuckDBConnection, origin: TablePath) {
  const rows = await read(connection, "comment, estimated_size", "duckdb_tables()", "table_name", origin);
  const [[comment, size] = []] = rows;
  return {
    comment: typeof comment === "string" ? comment : "",
    rowCount: size === undefined || size === null ? undefined : Number(size),
  };
}

async function readComments(connection: DuckDBConnection, origin: TablePath): Promise<ReadonlyMap<string, string>> {
  const rows = await read(connection, "column_name, comment", "duckdb_columns()", "table_name", origin);
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

async function readConstraints(connection: DuckDBConnection, origin: TablePath): Promise<readonly Constraint[]> {
  const wanted =
    "constraint_type, to_json(constraint_column_names), coalesce(referenced_table, ''), to_json(coalesce(referenced_column_names, []))";
  const rows = await read(connection, wanted, "duckdb_constraints()", "table_name", origin);
  return rows.map(([type, columns, referencedTable, referencedColumns]) => ({
    type: String(type),
    columns: JSON.parse(String(columns)),
    referencedTable: String(referencedTable),
    referencedColumns: JSON.parse(String(referencedColumns)),
  }));
}

function toForeignKey(
  { type, columns, referencedTable, referencedColumns }: Constraint,
  origin: TablePath,
  pathOf: (origin: TablePath) => TablePath | undefined,
): readonly ForeignKey[] {
  if (type !== "FOREIGN KEY") return [];
  const table = pathOf([...origin.slice(0, -1), referencedTable]);
  return table ? [{ columns, table, referencedColumns }] : [];
}

/** Reads one of the engine's own tables of facts about a table. */
async function read(connection: DuckDBConnection, what: string, from: string, column: string, origin: TablePath) {
  const [database = "", schema = "", table = ""] = origin;
  const reader = await connection.runAndReadAll(
    `SELECT ${what} FROM ${from} WHERE database_name = ${quoteText(database)} AND schema_name = ${quoteText(schema)} AND ${column} = ${quoteText(table)}`,
  );
  return reader.getRows();
}
