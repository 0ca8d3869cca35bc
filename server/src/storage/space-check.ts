import type { StorageError } from "./errors.ts";

/** Whether the disk of the stored data has space again, once something could not be stored for want of it. */
export interface SpaceCheck {
  /** Notes an error of a statement; only FULL ones count. */
  note(error: StorageError): void;
  /** Resolves at once while nothing was refused for want of space; else tries to take some, and rejects with the `StorageError` while there is none. */
  check(): Promise<void>;
}

/** Milliseconds since the last refusal after which a place that lets nobody try counts as having space. */
const FORGET_MS = 10_000;

/** What says that this user may not try. */
const FORBIDDEN = "READ_ONLY";

/**
 * A row that is changed in place needs no more of the disk than it has, so it tells nothing of a disk that takes no new turn (DB-24): for that a file has to grow. `takeSpace`
 * makes one grow and leaves nothing of it, and rejects with a `StorageError`. `now`: milliseconds of a clock that only runs.
 */
export function createSpaceCheck(takeSpace: () => Promise<void>, now = () => performance.now()): SpaceCheck {
  let full: { readonly error: StorageError; readonly at: number } | undefined;
  return {
    note(error) {
      if (error.reason === "FULL") full = { error, at: now() };
    },
    async check() {
      const known = full;
      if (!known) return;
      const fault = await takeSpace().then(
        () => undefined,
        (error: StorageError) => error,
      );
      if (fault?.reason === FORBIDDEN && now() - known.at < FORGET_MS) throw known.error;
      if (fault && fault.reason !== FORBIDDEN) throw fault;
      // What was refused meanwhile is newer than this answer.
      if (full === known) full = undefined;
    },
  };
}
