import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { failedPrecondition } from "#status";
import type { TablePath } from "../contract.ts";
import { importTable } from "../imported/import-table.ts";
import type { FileKeys } from "../imported/table-file.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import type { Engine } from "./engine.ts";
import type { MappedTable } from "./mapped-tables.ts";

/** A view or copy that exists, as of a state of its file. */
export interface CreatedTable {
  readonly fingerprint: string;
  /** What the file declares, which the copy has not. */
  readonly keys?: FileKeys;
}

/**
 * Creates views of databases and Parquet files, and copies of other files and of tables inside files, unless they exist and are up to
 * date. `created`: what exists, by table.
 */
export async function createTables(
  engine: Engine,
  tables: readonly MappedTable[],
  internalNameOf: (path: TablePath) => TablePath,
  created: Map<string, CreatedTable>,
): Promise<void> {
  const versions = tables.map((table) => ({
    table,
    internalName: internalNameOf(table.path),
    key: table.path.join("\0"),
    fingerprint: table.file?.fingerprint ?? "view",
  }));
  const stale = versions.filter(({ key, fingerprint }) => created.get(key)?.fingerprint !== fingerprint);
  if (stale.length === 0) return;
  await engine.use(async (connection) => {
    for (const { table, internalName, key, fingerprint } of stale) {
      const keys = await createTable(connection, table, internalName);
      created.set(key, { fingerprint, ...(keys && { keys }) });
    }
  });
}

async function createTable(
  connection: DuckDBConnection,
  { baseTable, file }: MappedTable,
  internalName: TablePath,
): Promise<FileKeys | undefined> {
  const [database = "", schema = ""] = internalName;
  const name = internalName.map(quoteName).join(".");
  await connection.run(`ATTACH IF NOT EXISTS ':memory:' AS ${quoteName(database)}`);
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(database)}.${quoteName(schema)}`);
  if (baseTable)
    await connection.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${baseTable.map(quoteName).join(".")}`);
  if (!file) return undefined;
  if ("read" in file) {
    return file.read(async (source) => {
      await importTable(connection, internalName, source);
      return source.keys;
    });
  }
  const rows = `SELECT * FROM ${file.reader.function}(${quoteText(literalPath(file.file))})`;
  await connection.run(`CREATE OR REPLACE ${file.reader.imported ? "TABLE" : "VIEW"} ${name} AS ${rows}`);
  if (file.reader.function === "read_json") await scalarsAsText(connection, internalName);
  return undefined;
}

/** A column with texts and numbers, and neither objects nor lists, is read as JSON; as text its values are what people write. */
async function scalarsAsText(connection: DuckDBConnection, internalName: TablePath): Promise<void> {
  const name = internalName.map(quoteName).join(".");
  const described = await connection.runAndReadAll(`DESCRIBE ${name}`);
  const columns = described.getRows().flatMap(([column, type]) => (type === "JSON" ? [quoteName(String(column))] : []));
  for (const column of columns) {
    const nested = await connection.runAndReadAll(
      `SELECT count(*) FROM ${name} WHERE json_type(${column}) IN ('OBJECT', 'ARRAY')`,
    );
    if (Number(nested.getRows()[0]?.[0]) > 0) continue;
    await connection.run(`ALTER TABLE ${name} ALTER ${column} SET DATA TYPE VARCHAR USING ${column} ->> '$'`);
  }
}

/** Escapes `*`, `?` and `[`, which DuckDB reads as a glob pattern. In a pattern it reads a backslash as a slash. */
function literalPath(path: string): string {
  if (!/[*?[]/.test(path)) return path;
  if (!path.includes("\\")) return path.replace(/[*?[]/g, "[$&]");
  const file = basename(path);
  throw failedPrecondition(`The file ${file} has a backslash and one of * ? [ in its path; rename it.`, {
    reason: "TABLE_FILE_UNREADABLE",
    metadata: { file },
  });
}
