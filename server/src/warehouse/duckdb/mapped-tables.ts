import { statSync } from "node:fs";
import { basename } from "node:path";
import { failedPrecondition } from "#status";
import type { TablePath } from "../contract.ts";
import { createImportedTables, type ImportedTable, isSqlite } from "../imported/imported-tables.ts";
import { type FileTable, fileTables, isDatabase } from "../mapping/file-tables.ts";
import { fileFingerprint } from "../mapping/files.ts";
import type { SourceMapping } from "../mapping/warehouse-config.ts";
import { quoteText } from "../sql-quoting.ts";
import type { Conversions } from "../uploads/conversions.ts";
import { readConversions } from "../uploads/upload-folder.ts";
import type { Engine } from "./engine.ts";
import { attachedDatabaseName } from "./internal-names.ts";

/** A table that a mapping names: a table of an attached database, or a file. */
export interface MappedTable {
  /** The name that clients use. */
  readonly path: TablePath;
  /** The table of an attached database. */
  readonly baseTable?: TablePath;
  readonly file?: FileTable | ImportedTable;
  readonly mapping: SourceMapping;
}

/** All mapped tables, and the errors of files whose tables cannot be listed, by the names that they are mapped to. */
interface MappedTables {
  readonly tables: readonly MappedTable[];
  readonly errors: readonly { readonly prefix: TablePath; readonly error: Error }[];
}

/** The mappings of DuckDB databases, and those of files. */
export function splitMappings(sources: readonly SourceMapping[]) {
  const databases = sources.filter(({ path }) => isDatabase(path) && !isSqlite(path));
  return { databases, files: sources.filter((source) => !databases.includes(source)) };
}

/** Creates the function that lists all mapped tables as they are now, and those of `uploads`. */
export function createMappedTables(
  engine: Engine,
  databases: readonly SourceMapping[],
  files: readonly SourceMapping[],
): (uploads?: readonly SourceMapping[]) => Promise<MappedTables> {
  const importedTables = createImportedTables();
  async function importedTablesOf(mapping: SourceMapping): Promise<MappedTables> {
    const { name, path } = mapping;
    const [project, dataset = "files", table] = name;
    const { tables, errors } = await importedTables(path, table);
    return {
      tables: tables.map((file) => ({ path: [project, dataset, table ?? file.name], file, mapping })),
      errors: errors.map((error) => ({ prefix: name.filter((part) => part !== undefined), error })),
    };
  }
  return async (uploads = []) => {
    const read = [...files, ...uploads];
    const attached = await Promise.all(
      databases.map((mapping, at) => tablesOfDatabase(engine, mapping, attachedDatabaseName(at))),
    );
    const imported = await Promise.all(read.map(importedTablesOf));
    return {
      tables: [...attached.flat(), ...read.flatMap(tablesOfFiles), ...imported.flatMap(({ tables }) => tables)],
      errors: imported.flatMap(({ errors }) => errors),
    };
  };
}

function tablesOfFiles(mapping: SourceMapping): readonly MappedTable[] {
  const [project, dataset = "files", table] = mapping.name;
  return fileTables(mapping.path).map((file) => ({ path: [project, dataset, table ?? file.name], file, mapping }));
}

/** A mapped project shows every schema as a dataset; a mapped dataset shows one schema. */
async function tablesOfDatabase(
  engine: Engine,
  mapping: SourceMapping,
  database: string,
): Promise<readonly MappedTable[]> {
  const { name, schema } = mapping;
  const [project, dataset, table] = name;
  const rows = await engine.use((connection) =>
    connection.runAndReadAll(
      `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${quoteText(database)}
       UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ${quoteText(database)} AND NOT internal
       ORDER BY 1, 2`,
    ),
  );
  const found = rows.getRows().map(([schemaName, tableName]) => ({
    schema: String(schemaName),
    table: String(tableName),
  }));
  const shown =
    dataset === undefined ? undefined : (schema ?? (found.some((one) => one.schema === dataset) ? dataset : "main"));
  return found
    .filter((one) => (shown === undefined || one.schema === shown) && (table === undefined || one.table === table))
    .map((one) => ({
      path: [project, dataset ?? one.schema, one.table],
      baseTable: [database, one.schema, one.table],
      mapping,
    }));
}

/** Finds mapped tables: `*` as a project matches any; an exact match goes first. File names may be in another Unicode normalization form. */
export function mappedTableFinder(tables: readonly MappedTable[]): (path: TablePath) => MappedTable | undefined {
  const [exact, anyProject] = [new Map<string, MappedTable>(), new Map<string, MappedTable>()];
  const keyFrom = (path: TablePath, from: number) => path.slice(from).join("\0").normalize();
  for (const table of tables.toReversed()) {
    exact.set(keyFrom(table.path, 0), table);
    if (table.path[0] === "*") anyProject.set(keyFrom(table.path, 1), table);
  }
  return (path) => exact.get(keyFrom(path, 0)) ?? anyProject.get(keyFrom(path, 1));
}

/** Two files of one folder may have one table name, e.g. `orders.csv` and `orders.parquet`; FAILED_PRECONDITION names both. */
export function rejectAmbiguousFiles(requested: readonly MappedTable[], tables: readonly MappedTable[]): void {
  const byName = Map.groupBy(tables, (one) => one.path.slice(1).join("\0").normalize());
  for (const { path, file, mapping } of requested) {
    const other = byName
      .get(path.slice(1).join("\0").normalize())
      ?.find((one) => one.mapping === mapping && one.file?.file !== file?.file);
    if (!file || !other?.file) continue;
    const files = [file.file, other.file.file].map((one) => basename(one)).join(" and ");
    throw failedPrecondition(
      `${path.join(".")} may be ${files}: map the one that is meant as a table, e.g. warehouse.sources: { "${path.join(".")}": "./${basename(file.file)}" }.`,
      { reason: "TABLE_AMBIGUOUS", metadata: { table: path.join(".") } },
    );
  }
}

/** How the columns of an uploaded table are read as of now. */
export function conversionsOf({ upload }: SourceMapping, path: TablePath): Conversions {
  return upload ? readConversions(upload.folder, upload.dataset, path.at(-1) ?? "") : {};
}

/** The conversions of a table as a part of its fingerprint; "" where it has none. */
export function conversionsText(mapping: SourceMapping, path: TablePath): string {
  const conversions = conversionsOf(mapping, path);
  return Object.keys(conversions).length > 0 ? ` ${JSON.stringify(conversions)}` : "";
}

/** The table with the fingerprint that its file has now. A table stays as it is while its file is missing. */
export function withCurrentFingerprint(table: MappedTable): MappedTable {
  const { file } = table;
  if (!file || !statSync(file.file, { throwIfNoEntry: false })) return table;
  return { ...table, file: { ...file, fingerprint: fileFingerprint(file.file) } };
}
