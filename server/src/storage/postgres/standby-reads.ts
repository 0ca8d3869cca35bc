import type { Clock, Logger } from "#base";
import type { Engine } from "../engine.ts";
import { StorageError } from "../errors.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { openConnections } from "./connections.ts";
import { createListReads, isOfList } from "./list-reads.ts";
import { HELD_MS } from "./replicas.ts";
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

/**
 * Reads that may be some seconds old, from the configured standby (DB-13). When it fails or is further behind, and without one, the database itself is read: a standby
 * takes load away, and nothing depends on it. The log has one line when that begins, and one when it is over.
 */
export function openStandbyReads(
  database: DatabaseOptions,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ofDatabase: Engine["late"],
): StandbyReads {
  const { readUrl } = database;
  if (readUrl === undefined) return { late: ofDatabase, close: async () => {} };
  const standby = openConnections({ ...database, url: readUrl }, logger);
  const readList = createListReads(standby);
  const place = placeOf(readUrl);
  let pausedUntil = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let failing = false;

  /** Rejects when the standby lacks what servers have written of themselves for too long: one that follows no more answers as before. */
  async function look(): Promise<void> {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    const { rows } = await standby.query<{ seen: number | null }>({ sql: LAST_SEEN, parameters: [] });
    const seen = rows[0]?.seen ?? undefined;
    const behind = seen === undefined ? 0 : clock.now() - seen;
    if (seen === undefined || behind > MAX_BEHIND_MS)
      throw new StorageError("FAILED", `The standby '${place}' ${lackOf(seen, behind)}: check its replication.`);
    lookedAt = performance.now();
  }

  const late: Engine["late"] = async (statement) => {
    if (performance.now() < pausedUntil) return ofDatabase(statement);
    try {
      await look();
      const rows = await readList(statement);
      if (failing) logger.info("lists are read from the standby again");
      failing = false;
      return rows;
    } catch (error) {
      if (isOfList(error)) throw error;
      pausedUntil = performance.now() + PAUSE_MS;
      if (!failing) logger.warn({ err: toStorageError(error, place) }, "lists are read from the database itself");
      failing = true;
      return ofDatabase(statement);
    }
  };
  return { late, close: () => standby.close() };
}

/** When any server was alive last, by what has arrived; null before the first. */
const LAST_SEEN = `select extract(epoch from max(until)) * 1000::float8 - ${HELD_MS} as seen from replicas`;

function lackOf(seen: number | undefined, behind: number): string {
  return seen === undefined ? "has no server of this database" : `is ${Math.round(behind / 1_000)} s behind`;
}
