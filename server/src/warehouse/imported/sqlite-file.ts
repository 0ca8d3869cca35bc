import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { quoteName } from "../sql-quoting.ts";
import {
  type Cell,
  type FileColumn,
  type FileKeys,
  type RowSource,
  type TableFile,
  TableFileError,
} from "./table-file.ts";

/** Maximum bytes of one value. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;
/** A row takes more than this in any valid file. A damaged file whose pages refer to each other would have endless rows. */
const MIN_ROW_BYTES = 4;
/** Values may be read more often than they are stored, as default values are: at most this many times the size of the file. */
const MAX_EXPANSION = 100;

/**
 * Tables of a SQLite database, opened read-only. Views, virtual tables and columns that are computed when read are left out:
 * they run expressions of the file, which may never end.
 */
export const sqliteFile: TableFile = {
  names: (file) => withDatabase(file, async (database) => tableNames(database)),
  read: (file, table, work) =>
    withDatabase(file, (database) => {
      // One snapshot for all reads.
      database.exec("BEGIN");
      return work(rowSource(database, table, bytesOf(file)));
    }),
};

async function withDatabase<Result>(file: string, work: (database: DatabaseSync) => Promise<Result>): Promise<Result> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file, { readOnly: true, timeout: 2_000, limits: { length: MAX_VALUE_BYTES } });
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    return await work(database);
  } catch (error) {
    throw isSqliteError(error) ? new TableFileError(`SQLite says “${error.message}”`) : error;
  } finally {
    database?.close();
  }
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

function tableNames(database: DatabaseSync): readonly string[] {
  const listed = database.prepare("PRAGMA main.table_list").all();
  return listed
    .flatMap(({ schema, name, type }) => (schema === "main" && type === "table" ? [String(name)] : []))
    .filter((name) => !name.startsWith("sqlite_"))
    .toSorted();
}

function rowSource(database: DatabaseSync, table: string, fileBytes: number): RowSource {
  if (!tableNames(database).includes(table)) throw new TableFileError(`it has no table ${table}`);
  const columns = columnsOf(database, table);
  const names = columns.map(({ name }) => quoteName(name)).join(", ");
  return {
    columns,
    keys: keysOf(database, table),
    *rows() {
      const statement = database.prepare(`SELECT ${names} FROM main.${quoteName(table)}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      let [rows, bytes] = [0, 0];
      for (const row of statement.iterate() as Iterable<unknown>) {
        const cells = row as readonly Cell[];
        rows++;
        for (const cell of cells) bytes += typeof cell === "string" || cell instanceof Uint8Array ? cell.length : 0;
        if (rows * MIN_ROW_BYTES > fileBytes || bytes > fileBytes * MAX_EXPANSION)
          throw new TableFileError(`table ${table} has more rows than the file can hold`);
        yield cells;
      }
    },
  };
}

/** Ordinary columns, and generated ones whose values are stored. */
function columnsOf(database: DatabaseSync, table: string): readonly FileColumn[] {
  const listed = database.prepare(`PRAGMA main.table_xinfo(${quoteName(table)})`).all();
  return listed.flatMap(({ name, type, hidden }) =>
    hidden === 0 || hidden === 3 ? [{ name: String(name), declared: String(type) }] : [],
  );
}

/** The primary key and the foreign keys of a table. Names in a declaration may be in another case than the names they mean. */
function keysOf(database: DatabaseSync, table: string): FileKeys {
  const primaryKey = primaryKeyOf(database, table);
  const tables = tableNames(database);
  const listed = database.prepare(`PRAGMA main.foreign_key_list(${quoteName(table)})`).all();
  const foreignKeys = [...Map.groupBy(listed, ({ id }) => id).values()].flatMap((pairs) => {
    const target = sameName(tables, String(pairs[0]?.table));
    const ordered = pairs.toSorted((one, other) => Number(one.seq) - Number(other.seq));
    const own = columnsOf(database, table).map(({ name }) => name);
    const columns = ordered.flatMap(({ from }) => sameName(own, String(from)) ?? []);
    if (target === undefined || columns.length !== pairs.length) return [];
    const theirs = columnsOf(database, target).map(({ name }) => name);
    // Without columns, the primary key is meant.
    const named = ordered.flatMap(({ to }) => (to === null ? [] : (sameName(theirs, String(to)) ?? [])));
    const referencedColumns = ordered.some(({ to }) => to === null) ? primaryKeyOf(database, target) : named;
    return referencedColumns.length === columns.length ? [{ columns, table: target, referencedColumns }] : [];
  });
  return { ...(primaryKey.length > 0 && { primaryKey }), foreignKeys };
}

function primaryKeyOf(database: DatabaseSync, table: string): readonly string[] {
  const listed = database.prepare(`PRAGMA main.table_xinfo(${quoteName(table)})`).all();
  return listed
    .filter(({ pk, hidden }) => Number(pk) > 0 && (hidden === 0 || hidden === 3))
    .toSorted((one, other) => Number(one.pk) - Number(other.pk))
    .map(({ name }) => String(name));
}

function sameName(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name === wanted) ?? names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
