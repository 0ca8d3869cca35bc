import type { Clock } from "#base";
import type { StorageOptions } from "../contract.ts";
import type { Engine } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { type Connections, openConnections } from "./connections.ts";
import { createListReads, isOfList } from "./list-reads.ts";
import { HELD_MS } from "./replicas.ts";
import { watchSilence } from "./silence.ts";
import { placeOf, toStorageError } from "./to-storage-error.ts";

/** Reads of a standby. */
interface StandbyReads {
  readonly late: Engine["late"];
  close(): Promise<void>;
}

/** Milliseconds for which a standby that failed, or is behind, is not asked again. */
const PAUSE_MS = 5_000;
/** Milliseconds that a standby may be behind. The clock of a server may differ from the database's by a third of it (DB-9). */
const MAX_BEHIND_MS = 15_000;
/** Milliseconds between two looks at how far it is behind. */
const LOOK_EVERY_MS = 2_000;
/** Milliseconds that a look may take, and the connection for a list. */
const ANSWERS_WITHIN_MS = 2_000;

/**
 * Reads that may be some seconds old, from the configured standby (DB-13). When it fails, does not answer or is further behind, and without one, the database itself is read: a
 * standby takes load away, and nothing depends on it. The log has one line when that begins, and one when it is over.
 */
export function openStandbyReads(
  database: DatabaseOptions,
  { clock, logger, onLateRead }: Pick<StorageOptions, "clock" | "logger" | "onLateRead">,
  ofDatabase: Engine["late"],
): StandbyReads {
  const { readUrl } = database;
  if (readUrl === undefined) return { late: ofDatabase, close: async () => {} };
  const standby = openConnections({ ...database, url: readUrl }, logger);
  const asking = openConnections({ ...database, url: readUrl, connections: 1 }, logger);
  const place = placeOf(readUrl);
  const stopWatch = watchSilence(asking, [standby], { place, logger });
  // The database itself is the second attempt.
  const readList = createListReads(standby, { attempts: 1, connectMs: ANSWERS_WITHIN_MS });
  const look = createLook(standby, place, clock);
  /** Until when it is left alone; undefined while it is read. */
  let pausedUntil: number | undefined;
  let failing = false;

  function leaveAlone(error: unknown): void {
    pausedUntil = performance.now() + PAUSE_MS;
    if (!failing) logger.warn({ err: toStorageError(error, place) }, "lists are read from the database itself");
    failing = true;
  }

  /** Asks one that was left alone long enough whether it is back. No list waits for its answer. */
  function askAgain(): void {
    if (pausedUntil === undefined || performance.now() < pausedUntil) return;
    pausedUntil = Number.POSITIVE_INFINITY;
    look().then(() => {
      pausedUntil = undefined;
    }, leaveAlone);
  }

  const ofDatabaseItself: Engine["late"] = (statement, signal) => {
    onLateRead?.("database");
    return ofDatabase(statement, signal);
  };

  const late: Engine["late"] = async (statement, signal) => {
    askAgain();
    if (pausedUntil !== undefined) return ofDatabaseItself(statement, signal);
    try {
      await look();
      const rows = await readList(statement, signal);
      if (failing) logger.info("lists are read from the standby again");
      failing = false;
      onLateRead?.("standby");
      return rows;
    } catch (error) {
      if (signal?.aborted || isOfList(error)) throw error;
      leaveAlone(error);
      return ofDatabaseItself(statement, signal);
    }
  };
  return {
    late,
    close: async () => {
      await stopWatch();
      await standby.close();
    },
  };
}

/** Rejects when the standby lacks what servers have written of themselves for too long: one that follows no more answers as before. Lists share a look. */
function createLook(standby: Pick<Connections, "query">, place: string, clock: Clock): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const lastSeen = { sql: LAST_SEEN, parameters: [] };
    const { rows } = await standby.query<{ seen: number | null }>(lastSeen, undefined, ANSWERS_WITHIN_MS);
    const seen = rows[0]?.seen ?? undefined;
    const behind = seen === undefined ? 0 : clock.now() - seen;
    if (seen === undefined || behind > MAX_BEHIND_MS)
      throw new StorageError("FAILED", `The standby '${place}' ${lackOf(seen, behind)}: check its replication.`);
    lookedAt = performance.now();
  }

  return async () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    looking ??= ask().finally(() => {
      looking = undefined;
    });
    await looking;
  };
}

/** When any server was alive last, by what has arrived; null before the first. */
const LAST_SEEN = `select extract(epoch from max(until)) * 1000::float8 - ${HELD_MS} as seen from replicas`;

function lackOf(seen: number | undefined, behind: number): string {
  return seen === undefined ? "has no server of this database" : `is ${Math.round(behind / 1_000)} s behind`;
}
