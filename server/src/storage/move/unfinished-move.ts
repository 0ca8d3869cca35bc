import { StorageError } from "../errors.ts";

/** The file, or the key, that says that a move has begun and not ended. */
export const UNFINISHED_MOVE = "unfinished-move";

/** The error of a server on data that is not whole. */
export function unfinishedMove(place: string): StorageError {
  return new StorageError(
    "FAILED",
    `A move into '${place}' has begun and not ended, so its data is not whole: run the same 'frontdesk move' again.`,
  );
}
