import { DatabaseSync } from "node:sqlite";

/** How long to wait for a lock that a foreign program (a backup, a shell) holds on the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the database for writing: a commit has reached the disk when it returns (`synchronous=FULL` with a write-ahead log). */
export function openWriteConnection(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // The page size is decided by the first write: a turn of a few kilobytes then seldom spills to further pages.
    database.exec("pragma page_size = 8192");
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    // After a burst, the log's file shrinks to this many bytes at the next checkpoint.
    database.exec("pragma journal_size_limit = 67108864");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
