import type { Clock } from "#base";
import type { BlobStore } from "./contract.ts";

/** The blobs of a server for what is kept for a while: each is removed `keptMs` milliseconds after it was put. */
export function expiringBlobs(
  { get, put, remove }: Pick<BlobStore, "get" | "put" | "remove">,
  clock: Pick<Clock, "now">,
  keptMs: number,
): Pick<BlobStore, "get" | "remove"> & { put(key: string, bytes: Uint8Array): Promise<void> } {
  return { get, remove, put: (key, bytes) => put(key, bytes, clock.now() + keptMs) };
}
