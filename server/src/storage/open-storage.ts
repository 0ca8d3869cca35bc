import type { Clock, Logger } from "#base";
import type { Storage } from "./contract.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** Where the state is, and what the stores need. */
export interface StorageOptions {
  /** Folder of the embedded database; made, readable by this user only, when missing. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hears how many writes shared a durable commit, after each. Default: nobody does. */
  readonly onCommit?: (writes: number) => void;
}

/**
 * Opens and locks the durable state of a server, bringing its schema up to date. Throws a `StorageFault` with one sentence for the
 * operator when that cannot be. Further dialects are chosen here.
 */
export function openStorage(options: StorageOptions): Promise<Storage> {
  return openSqlite(options);
}
