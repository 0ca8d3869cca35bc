import type { Clock, Logger } from "#base";
import type { BlobPlace } from "../blob-store.ts";
import { StorageError } from "../errors.ts";
import type { BucketOptions } from "../shared-contract.ts";
import { storageFailed } from "../storage-failed.ts";
import { type Bucket, openBucket } from "./bucket.ts";

/** A bucket with blobs. */
interface BucketOfBlobs {
  /** The bucket in place of what the storage has itself, whose blobs of earlier are found as long as the bucket has nothing of that name. */
  over(own: BlobPlace): BlobPlace;
  close(): Promise<void>;
}

interface BucketBlobsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The object that a start writes, so that missing rights show then. No blob has such a name. */
const WRITE_CHECK = "write-check";

/** Objects that are removed at the same time. */
const AT_ONCE = 10;

/** Opens a bucket for blobs (DB-14). Throws a `StorageError` when it cannot be listed and written. */
export async function openBucketOfBlobs(options: BucketOptions, deps: BucketBlobsDeps): Promise<BucketOfBlobs> {
  const bucket = openBucket(options, deps.clock);
  try {
    await bucket.names("", 1);
    await bucket.put(WRITE_CHECK, new Uint8Array());
    return { over: (own) => createBucketBlobs(bucket, own, deps.logger), close: () => bucket.close() };
  } catch (error) {
    await bucket.close();
    throw error;
  }
}

function createBucketBlobs(bucket: Bucket, own: BlobPlace, logger: Logger): BlobPlace {
  const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw storageFailed(error, { logger, event: "the bucket of blobs failed", what: "files" });
    }
  };
  return {
    get: async (name) => (await orUnavailable(bucket.get(name))) ?? (await own.get(name)),
    put: (name, bytes) => orUnavailable(bucket.put(name, bytes)),
    remove: async (names) => {
      await own.remove(names);
      for (let at = 0; at < names.length; at += AT_ONCE)
        await Promise.all(names.slice(at, at + AT_ONCE).map((name) => orUnavailable(bucket.remove(name))));
    },
  };
}
