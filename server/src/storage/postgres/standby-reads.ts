import type { Logger } from "#base";
import type { Engine } from "../engine.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { openConnections } from "./connections.ts";
import { placeOf, toStorageError } from "./to-storage-error.ts";

/** Reads of a standby. */
interface StandbyReads {
  readonly late: Engine["late"];
  close(): Promise<void>;
}

/** Milliseconds for which a standby that failed is not asked again. */
const PAUSE_MS = 5_000;

/**
 * Reads that may be some seconds old, from the configured standby (DB-13). When it fails, and without one, the database itself is read: a standby takes load away,
 * and nothing depends on it.
 */
export function openStandbyReads(database: DatabaseOptions, logger: Logger, all: Engine["all"]): StandbyReads {
  const { readUrl } = database;
  if (readUrl === undefined) return { late: all, close: async () => {} };
  const standby = openConnections({ ...database, url: readUrl }, logger);
  let pausedUntil = 0;
  const late: Engine["late"] = async (statement) => {
    if (performance.now() < pausedUntil) return all(statement);
    try {
      return (await standby.query(statement)).rows;
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MS;
      logger.warn(
        { err: toStorageError(error, placeOf(readUrl)) },
        "lists are read from the database itself for a while",
      );
      return all(statement);
    }
  };
  return { late, close: () => standby.close() };
}
