import type { DuckDBConnection } from "@duckdb/node-api";
import { definedFields, nonEmptyFields } from "#base";
import type { Column, ForeignKey, TablePath, TableSchema } from "../contract.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { tableKey } from "../table-key.ts";
import { toColumn } from "./column-types.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";

/** A table of the context, and the table that has its comments and keys. */
export interface ContextTable extends ScopedTable {
  /** The table that a view over an attached database reads; else the table itself. */
  readonly baseTable: TablePath;
  /** The state of the file that has the rows, as it is now. */
  readonly version: () => string;
  /** The keys that the file of the table declares, where the engine holds a copy without them. */
  readonly keys?: () => Pick<TableSchema, "primaryKey" | "foreignKeys"> | undefined;
}

/**
 * The schemas of tables: types from their columns, comments and keys from the catalog of their base tables. The catalog is read once for
 * all of them, because each of its functions lists whole databases.
 */
export async function describeTables(
  connection: DuckDBConnection,
  tables: readonly ContextTable[],
): Promise<readonly TableSchema[]> {
  const databases = [...new Set(tables.map(({ baseTable: [database = ""] }) => database))];
  const catalog = {
    tables: await readTableInfo(connection, databases),
    comments: await readComments(connection, databases),
    constraints: await readConstraints(connection, databases),
    views: await readViews(connection, databases),
    paths: new Map(tables.map(({ baseTable, path }) => [tableKey(baseTable), path])),
  };
  const schemas: TableSchema[] = [];
  for (const table of tables) schemas.push(await describeTable(connection, table, catalog));
  return schemas;
}

interface Catalog {
  readonly tables: ReadonlyMap<string, { readonly comment: string; readonly rowCount: number | undefined }>;
  readonly comments: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly constraints: ReadonlyMap<string, readonly Constraint[]>;
  /** Names in the texts of views. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  /** The names that clients use, by base table. */
  readonly paths: ReadonlyMap<string, TablePath>;
}

async function describeTable(
  connection: DuckDBConnection,
  table: ContextTable,
  catalog: Catalog,
): Promise<TableSchema> {
  const key = tableKey(table.baseTable);
  const columns = await readColumns(connection, table.internalName);
  const reads = table.baseTable === table.internalName ? undefined : catalog.views.get(key);
  const [info, comments, constraints] = [
    catalog.tables.get(key),
    catalog.comments.get(key),
    catalog.constraints.get(key) ?? [],
  ];
  const required = new Set(
    constraints.filter(({ type }) => type === "NOT NULL").flatMap(({ columns: names }) => names),
  );
  const declared = table.keys?.();
  const primaryKey = declared?.primaryKey ?? constraints.find(({ type }) => type === "PRIMARY KEY")?.columns;
  const foreignKeys =
    declared?.foreignKeys ?? constraints.flatMap((one) => toForeignKey(one, table.baseTable, catalog));
  return {
    path: table.path,
    ...(info?.comment && { description: info.comment }),
    columns: columns.map((column) => withColumnInfo(column, required, comments?.get(column.name))),
    ...definedFields({ primaryKey }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(info?.rowCount !== undefined && { rowCount: info.rowCount }),
    ...definedFields({ reads }),
    version: table.version(),
  };
}

function withColumnInfo(column: Column, required: ReadonlySet<string>, comment: string | undefined): Column {
  const mode = column.mode === "NULLABLE" && required.has(column.name) ? "REQUIRED" : column.mode;
  return { ...column, mode, ...nonEmptyFields({ description: comment }) };
}

async function readColumns(connection: DuckDBConnection, internalName: TablePath): Promise<readonly Column[]> {
  const statement = await connection.prepare(`SELECT * FROM ${internalName.map(quoteName).join(".")}`);
  return Array.from({ length: statement.columnCount }, (_, at) =>
    toColumn(statement.columnName(at), statement.columnType(at)),
  );
}

async function readTableInfo(connection: DuckDBConnection, databases: readonly string[]): Promise<Catalog["tables"]> {
  const rows = await read(connection, "comment, estimated_size", "duckdb_tables()", databases);
  return new Map(
    rows.map(({ key, values: [comment, size] }) => [
      key,
      {
        comment: typeof comment === "string" ? comment : "",
        rowCount: size === undefined || size === null ? undefined : Number(size),
      },
    ]),
  );
}

/** Names in the texts of the views of databases, and in those of views that these name. */
async function readViews(connection: DuckDBConnection, databases: readonly string[]): Promise<Catalog["views"]> {
  const reader = await connection.runAndReadAll(
    `SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal AND database_name IN (${databases.map(quoteText).join(", ")})`,
  );
  const views = reader.getRows().map(([database, schema, view, sql]) => ({
    key: tableKey([String(database), String(schema), String(view)]),
    name: String(view).toLowerCase(),
    names: namesIn(String(sql).replace(/^.*?\bAS\b/is, "")),
  }));
  return new Map(
    views.map(({ key, names }) => {
      const all = new Set(names);
      for (const name of all)
        for (const view of views) if (view.name === name) for (const one of view.names) all.add(one);
      return [key, [...all]];
    }),
  );
}

function namesIn(sql: string): readonly string[] {
  return [...sql.matchAll(/"((?:[^"]|"")*)"|[\p{L}_][\p{L}\p{N}_$]*/gu)].map(([plain, quoted]) =>
    (quoted?.replaceAll('""', '"') ?? plain).toLowerCase(),
  );
}

async function readComments(connection: DuckDBConnection, databases: readonly string[]): Promise<Catalog["comments"]> {
  const rows = await read(connection, "column_name, comment", "duckdb_columns()", databases, "comment IS NOT NULL");
  const comments = new Map<string, Map<string, string>>();
  for (const { key, values } of rows) {
    const own = comments.get(key) ?? new Map<string, string>();
    comments.set(key, own.set(String(values[0]), String(values[1])));
  }
  return comments;
}

interface Constraint {
  readonly type: string;
  readonly columns: readonly string[];
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
}

async function readConstraints(
  connection: DuckDBConnection,
  databases: readonly string[],
): Promise<Catalog["constraints"]> {
  const fields =
    "constraint_type, to_json(constraint_column_names), coalesce(referenced_table, ''), to_json(coalesce(referenced_column_names, []))";
  const rows = await read(connection, fields, "duckdb_constraints()", databases);
  const constraints = new Map<string, Constraint[]>();
  for (const { key, values } of rows) {
    const [type, columns, referencedTable, referencedColumns] = values;
    const constraint = {
      type: String(type),
      columns: JSON.parse(String(columns)),
      referencedTable: String(referencedTable),
      referencedColumns: JSON.parse(String(referencedColumns)),
    };
    const own = constraints.get(key);
    if (own) own.push(constraint);
    else constraints.set(key, [constraint]);
  }
  return constraints;
}

function toForeignKey(
  { type, columns, referencedTable, referencedColumns }: Constraint,
  baseTable: TablePath,
  { paths }: Catalog,
): readonly ForeignKey[] {
  if (type !== "FOREIGN KEY") return [];
  const table = paths.get(tableKey([...baseTable.slice(0, -1), referencedTable]));
  return table ? [{ columns, table, referencedColumns }] : [];
}

/** Reads one of DuckDB's catalog functions for all tables of databases. */
async function read(
  connection: DuckDBConnection,
  what: string,
  from: string,
  databases: readonly string[],
  condition = "true",
) {
  const reader = await connection.runAndReadAll(
    `SELECT database_name, schema_name, table_name, ${what} FROM ${from} WHERE database_name IN (${databases.map(quoteText).join(", ")}) AND ${condition}`,
  );
  return reader.getRows().map(([database, schema, table, ...values]) => ({
    key: tableKey([String(database), String(schema), String(table)]),
    values,
  }));
}
