import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Statement } from "../engine.ts";
import { createPreparedStatements } from "./prepared-statements.ts";

/** How long to wait for another program's lock on the file (a backup, a shell), in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the database for writing: a commit is on the disk when it returns (`synchronous=FULL` with a write-ahead log). */
export function openWriteConnection(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Set before the first write: a turn of a few kilobytes then seldom needs overflow pages.
    database.exec("pragma page_size = 8192");
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    // What is deleted is overwritten with zeros (DB-39).
    database.exec("pragma secure_delete = on");
    // The write-ahead log shrinks to this many bytes at the next checkpoint.
    database.exec("pragma journal_size_limit = 67108864");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The read-only connection of the main thread: it sees committed rows. */
export interface Reader {
  all<Row>(statement: Statement<Row>): readonly Row[];
  close(): void;
}

type Functions = Readonly<Record<string, (...values: never[]) => number>>;

/** Opens a database for reading. `functions`: what its statements may call besides those of SQLite, by name. */
export function openReadConnection(path: string, functions: Functions = {}): Reader {
  const database = new DatabaseSync(path, { readOnly: true });
  // They get the values that the statements of the stores pass.
  for (const [name, call] of Object.entries(functions)) database.function(name, call as () => number);
  // Sixteen megabytes of pages: the rows of the running sessions.
  database.exec("pragma cache_size = -16384");
  const statementFor = createPreparedStatements(database);

  function all<Row>({ sql, parameters }: Statement<Row>): readonly Row[] {
    // The stores bind strings, numbers and bytes only, and their queries are typed by the tables.
    return statementFor(sql).all(...(parameters as readonly SQLInputValue[])) as Row[];
  }

  return { all, close: () => database.close() };
}
