import type { Semaphore } from "#base";
import { deadlineExceeded, unavailable } from "#status";

/** What a list may take, less than any other statement (DB-29). */
export const LIST_SECONDS = 8;
/** How long one waits for others. */
const LIST_WAIT_SECONDS = 4;

/** The refusal of a list that was ended. */
export function listTooLong(): Error {
  return deadlineExceeded(
    `The database did not finish this list within ${LIST_SECONDS} seconds, and ended it. Ask for a shorter time (in a filter, such as start_time > "2026-11-01T00:00:00Z"), or for rarer words.`,
  );
}

/** Waits for the place of a list. Returns what leaves it. Rejects with a refusal when that takes too long, and with the reason of the signal (DB-46). */
export async function placeForList(places: Semaphore, signal?: AbortSignal): Promise<() => void> {
  const tooLong = AbortSignal.timeout(LIST_WAIT_SECONDS * 1_000);
  return places.acquire(signal ? AbortSignal.any([signal, tooLong]) : tooLong).catch(() => {
    signal?.throwIfAborted();
    throw tooManyLists();
  });
}

function tooManyLists(): Error {
  return unavailable("The database is busy with other lists. Try again in a moment.", {
    reason: "STORAGE_OVERLOADED",
  });
}
