import type { StorageError } from "../errors.ts";
import type { Connections } from "./connections.ts";
import { toStorageError } from "./to-storage-error.ts";

/** Whether the database's disk has space again, once something could not be stored for want of it. */
export interface SpaceCheck {
  /** Notes an error of a statement; only FULL ones count. */
  note(error: StorageError): void;
  /** Resolves at once while nothing was refused for want of space; else tries to take some, and rejects with the `StorageError` while there is none. */
  check(): Promise<void>;
}

/** Milliseconds since the last refusal after which a database that lets nobody try counts as having space. */
const FORGET_MS = 10_000;

/**
 * A row that is changed in place needs no more of the disk than it has, so it tells nothing of a disk that takes no new turn (DB-24): for that a file has to grow. A temporary
 * table is a new file, and its transaction leaves nothing of it, so a pooler may hand out another connection next time.
 */
const TAKE_SPACE = `begin;
create temporary table space_check on commit drop as select repeat(md5(random()::text), 8) as text from generate_series(1, 4000);
rollback`;

/** What says that this user may make no temporary table. */
const FORBIDDEN = "READ_ONLY";

/** Of the database at `place`. `now`: milliseconds of a clock that only runs. */
export function createSpaceCheck(
  connections: Pick<Connections, "script">,
  place: string,
  now = () => performance.now(),
): SpaceCheck {
  let full: { readonly error: StorageError; readonly at: number } | undefined;
  return {
    note(error) {
      if (error.reason === "FULL") full = { error, at: now() };
    },
    async check() {
      const known = full;
      if (!known) return;
      const fault = await connections.script(TAKE_SPACE).then(
        () => undefined,
        (error: unknown) => toStorageError(error, place),
      );
      if (fault?.reason === FORBIDDEN && now() - known.at < FORGET_MS) throw known.error;
      if (fault && fault.reason !== FORBIDDEN) throw fault;
      // What was refused meanwhile is newer than this answer.
      if (full === known) full = undefined;
    },
  };
}
