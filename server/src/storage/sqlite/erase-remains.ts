import type { DatabaseSync } from "node:sqlite";

/** The write-ahead log is emptied this often while rows are written, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;
/** The index of words is written anew this often while turns are deleted: it takes as long as the index is large. */
const WORDS_INTERVAL_MS = 24 * 3_600_000;
/** Pages of the index in one piece, which takes some milliseconds. */
const PIECE = 16;
/** After an error nothing is tried for this long, in milliseconds, so that an outage is not met again with each write. */
export const RETRY_MS = 60_000;

/**
 * Creates what erases the remains of deleted rows (DB-39), a piece with each call. SQLite overwrites a deleted row at once (`secure_delete`), but the
 * write-ahead log has its page until it is written over, and the index of words keeps the words of a deleted turn until the segment that holds them
 * is merged. A call returns how many milliseconds later there is more to do; undefined: nothing before the next write.
 * A call that throws is made again after `RETRY_MS`.
 */
export function createRemainsEraser(database: DatabaseSync): (now: number) => number | undefined {
  const words = createWordsEraser(database);
  let nextLog = 0;
  let nextWords = 0;
  let emptied = -1;
  let retryAt = 0;

  return function erase(now) {
    if (now < retryAt) return retryAt - now;
    retryAt = now + RETRY_MS;
    const pause = erasePiece(now);
    retryAt = 0;
    return pause;
  };

  function erasePiece(now: number): number | undefined {
    if (words.isUnderWay() || (now >= nextWords && words.forgotten() > 0)) {
      const begins = !words.isUnderWay();
      words.erasePiece();
      if (begins) nextWords = now + WORDS_INTERVAL_MS;
      return 0;
    }
    if (now >= nextLog && changes(database) !== emptied) {
      nextLog = now + LOG_INTERVAL_MS;
      if (emptyLog(database)) emptied = changes(database);
    }
    if (changes(database) !== emptied) return Math.max(0, nextLog - now);
    return words.forgotten() > 0 ? Math.max(0, nextWords - now) : undefined;
  }
}

/** Has all segments of the index merged into one, which leaves out the words of deleted turns. */
function createWordsEraser(database: DatabaseSync) {
  const merge = database.prepare("insert into turn_words (turn_words, rank) values ('merge', ?)");
  const read = database.prepare("select forgotten from turn_words_progress");
  const count = database.prepare("update turn_words_progress set forgotten = forgotten - ?");
  const forgotten = () => Number(read.get()?.forgotten);
  let merging = 0;
  return {
    /** Turns that were deleted, and whose words may be in the index. */
    forgotten,
    isUnderWay: () => merging > 0,
    erasePiece(): void {
      const before = changes(database);
      // A negative number begins: it assigns all segments to one merge.
      merge.run(merging > 0 ? PIECE : -PIECE);
      if (merging === 0) merging = forgotten();
      // As its documentation has it, a merge that changed less than two rows had nothing to do.
      else if (changes(database) - before < 2) {
        count.run(merging);
        merging = 0;
      }
    },
  };
}

/** Not while somebody reads an older state, such as a backup: then the next time. */
function emptyLog(database: DatabaseSync): boolean {
  const timeout = Number(database.prepare("pragma busy_timeout").get()?.timeout);
  database.exec("pragma busy_timeout = 0");
  try {
    return database.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } finally {
    database.exec(`pragma busy_timeout = ${timeout}`);
  }
}

/** Rows that this connection has changed. */
function changes(database: DatabaseSync): number {
  return Number(database.prepare("select total_changes() as total").get()?.total);
}
