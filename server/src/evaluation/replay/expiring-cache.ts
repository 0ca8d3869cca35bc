import type { Clock } from "#base";
import type { BlobStore } from "#storage";
import type { ByteCache } from "../suite/run-suite.ts";

/** Milliseconds that an answer or judgement is kept from when it was given: 90 days. It is asked for again then. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** The blobs of a server for what runs keep, each of which is erased when its time is over (EVAL-17, EVAL-60). */
export function expiringCache(blobs: Pick<BlobStore, "get" | "put">, clock: Pick<Clock, "now">): ByteCache {
  return { get: blobs.get, put: (key, bytes) => blobs.put(key, bytes, clock.now() + KEPT_MS) };
}
