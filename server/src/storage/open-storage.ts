import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "#base";
import type { BlobPlace } from "./blob-store.ts";
import type { Storage, StorageOptions } from "./contract.ts";
import type { MoveReport } from "./move/move.ts";
import type { BucketOptions, DatabaseOptions } from "./shared-contract.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { endPreparedThread } from "./sqlite/writer-thread.ts";

/** Opens the database that is configured, or else the data folder. Throws a `StorageError` with one sentence for the operator. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { bucket } = options;
  if (!bucket) return openTables(options);
  const { openBucketOfBlobs } = await import("./s3/bucket-blobs.ts");
  const objects = await openBucketOfBlobs(bucket, options);
  try {
    const storage = await openTables(options, objects.over);
    return { ...storage, close: () => storage.close().finally(() => objects.close()) };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

/** `blobsIn`: where blobs are, given the folder or table of blobs. Default: there. */
async function openTables(
  options: StorageOptions,
  blobsIn: (own: BlobPlace) => BlobPlace = (own) => own,
): Promise<Storage> {
  const { database } = options;
  if (!database) return openSqlite(options, blobsIn);
  await endPreparedThread();
  // For what a server keeps beside its data: caches, and the operator's file.
  mkdirSync(resolve(options.dataDir), { recursive: true, mode: 0o700 });
  // The driver is loaded only where it is used.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres({ ...options, database }, blobsIn);
}

/** Migrates the schema of a database without opening its stores: from one version to another, which are equal when nothing was to do. `newJobTables`: those of jobs, which have a version of their own, were made or migrated. */
export async function migrateSchema(
  database: DatabaseOptions,
  logger: Logger,
): Promise<{ readonly from: number; readonly to: number; readonly newJobTables: boolean }> {
  const { migrateDatabase } = await import("./postgres/open-postgres.ts");
  return migrateDatabase(database, logger);
}

/** Copies the blobs of the data folder or database into the bucket, or back (DB-14). No server may use them meanwhile. */
export async function moveBlobs(
  { dataDir, database, bucket: options, clock, logger }: StorageOptions & { readonly bucket: BucketOptions },
  direction: "to-bucket" | "from-bucket",
  progress: (line: string) => void,
): Promise<MoveReport> {
  const [{ openBucket }, { blobsIntoBucket, blobsOutOfBucket }] = await Promise.all([
    import("./s3/bucket.ts"),
    import("./move/move-blobs.ts"),
  ]);
  await using open = new AsyncDisposableStack();
  const bucket = openBucket(options, clock);
  open.defer(() => bucket.close());
  const side = database
    ? await (await import("./move/database-side.ts")).openDatabaseSide(database, logger)
    : (await import("./move/folder-side.ts")).openFolderSide(dataDir, clock);
  open.defer(() => side.close());
  return direction === "to-bucket"
    ? await blobsIntoBucket(side, bucket, progress)
    : await blobsOutOfBucket(bucket, side, progress);
}

/** Copies everything between the data folder and the database, neither of which a server may use meanwhile (DB-11). */
export async function moveStorage(
  { dataDir, database, clock, logger }: StorageOptions & { readonly database: DatabaseOptions },
  direction: "to-database" | "to-folder",
  progress: (line: string) => void,
): Promise<MoveReport> {
  const [{ openFolderSide }, { openDatabaseSide }, { move }] = await Promise.all([
    import("./move/folder-side.ts"),
    import("./move/database-side.ts"),
    import("./move/move.ts"),
  ]);
  await using open = new AsyncDisposableStack();
  const folder = openFolderSide(dataDir, clock);
  open.defer(() => folder.close());
  const shared = await openDatabaseSide(database, logger);
  open.defer(() => shared.close());
  return direction === "to-database" ? await move(folder, shared, progress) : await move(shared, folder, progress);
}
