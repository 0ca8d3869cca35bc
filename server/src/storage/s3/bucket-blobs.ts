import { hash } from "node:crypto";
import type { Clock, Logger } from "#base";
import { requireBlobSize } from "../blob-size.ts";
import type { BlobStore, Storage } from "../contract.ts";
import { StorageError } from "../errors.ts";
import type { BucketOptions } from "../shared-contract.ts";
import { storageFailed } from "../storage-failed.ts";
import { type Bucket, openBucket } from "./bucket.ts";

interface BucketBlobsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The object that a start writes, so that missing rights show then. No blob has such a name. */
const WRITE_CHECK = "write-check";

/**
 * A storage whose blobs are objects of a bucket (DB-14). What the storage has itself of earlier is found as long as the bucket has nothing of
 * that key. Throws a `StorageError` when the bucket cannot be listed and written.
 */
export async function withBlobsInBucket(
  openTables: () => Promise<Storage>,
  options: BucketOptions,
  deps: BucketBlobsDeps,
): Promise<Storage> {
  const bucket = openBucket(options, deps.clock);
  try {
    await bucket.names("", 1);
    await bucket.put(WRITE_CHECK, new Uint8Array());
    const storage = await openTables();
    const close = () => storage.close().finally(() => bucket.close());
    return { ...storage, blobs: createBucketBlobs(bucket, storage.blobs, deps.logger), close };
  } catch (error) {
    await bucket.close();
    throw error;
  }
}

function createBucketBlobs(bucket: Bucket, earlier: BlobStore, logger: Logger): BlobStore {
  const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw storageFailed(error, { logger, event: "the bucket of blobs failed", what: "files", retryMs: 1_000 });
    }
  };
  return {
    get: async (key) => (await orUnavailable(bucket.get(blobName(key)))) ?? (await earlier.get(key)),
    put: async (key, bytes) => {
      requireBlobSize(bytes);
      await orUnavailable(bucket.put(blobName(key), bytes));
    },
    remove: async (key) => {
      await earlier.remove(key);
      await orUnavailable(bucket.remove(blobName(key)));
    },
  };
}

/** The same names as in a folder or a table, so that blobs can be moved. */
function blobName(key: string): string {
  return hash("sha256", key);
}
