import type { Clock } from "#base";
import type { BlobStore } from "#storage";
import type { ByteCache } from "../suite/run-suite.ts";

/** Milliseconds that an answer, a judgement or an evaluated draft is kept: 90 days. An answer is asked for again then. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** The blobs of a server for what runs keep, each of which is erased when its time is over (EVAL-17, EVAL-60). */
export function expiringCache(
  { get, put, remove }: Pick<BlobStore, "get" | "put" | "remove">,
  clock: Pick<Clock, "now">,
): ByteCache & Pick<BlobStore, "remove"> {
  return { get, remove, put: (key, bytes) => put(key, bytes, clock.now() + KEPT_MS) };
}
