import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Clock, once } from "#base";
import { createAuditStore } from "../audit-store.ts";
import { type BlobPlace, createBlobStore } from "../blob-store.ts";
import type { Storage, StorageOptions } from "../contract.ts";
import { createConversationStore } from "../conversation-store.ts";
import { createCredentialStore } from "../credential-store.ts";
import { createExportStore } from "../export-store.ts";
import { createLocalJobs } from "../jobs/local-jobs.ts";
import { UNFINISHED_MOVE, unfinishedMove } from "../move/unfinished-move.ts";
import { createOperationStore } from "../operation-store.ts";
import { createResourceStore } from "../resource-store.ts";
import { createShortLivedStore } from "../short-lived-store.ts";
import { createSpaceCheck } from "../space-check.ts";
import { createTaskStore } from "../task-store.ts";
import { openBlobFolder } from "./blob-folder.ts";
import { cacheHeads } from "./cache-heads.ts";
import { openReadConnection, openWriteConnection, type Reader } from "./connections.ts";
import { lockFolder, syncFolder } from "./data-folder.ts";
import { createListReader } from "./list-reader.ts";
import { maintenanceSteps } from "./maintenance.ts";
import { migrate } from "./migrations.ts";
import { createSqliteEngine } from "./sqlite-engine.ts";
import { takeSpace } from "./take-space.ts";
import { toStorageError } from "./to-storage-error.ts";
import { Writer } from "./writer.ts";

/**
 * Opens and locks a data folder, created if it is missing, and migrates its schema. Throws a `StorageError` that names the path. `blobsIn`: where blobs are,
 * given the folder of blobs. Default: there.
 */
export async function openSqlite(
  { dataDir, clock, logger, onCommit }: StorageOptions,
  blobsIn: (folder: BlobPlace) => BlobPlace = (folder) => folder,
): Promise<Storage> {
  const folder = resolve(dataDir);
  const path = join(folder, "frontdesk.db");
  const lock = attempt(folder, () => lockFolder(folder, clock));
  try {
    if (existsSync(join(folder, UNFINISHED_MOVE))) throw unfinishedMove(folder);
    const blobs = blobsIn(await openBlobFolder(join(folder, "blobs")));
    const reader = attempt(path, () => openMigrated(path, folder, clock));
    const writer = new Writer({ path, maintenance: maintenanceSteps(), logger, onCommit });
    const lists = createListReader(path);
    const space = createSpaceCheck(() => takeSpace(folder));
    const engine = createSqliteEngine({ reader, lists, writer }, { path, logger, onFailure: space.note });
    const jobs = createLocalJobs({ clock, logger });
    return {
      ...cacheHeads({ conversations: createConversationStore(engine), resources: createResourceStore(engine) }),
      operations: createOperationStore(engine),
      jobs,
      exports: createExportStore(engine),
      credentials: createCredentialStore(engine),
      audit: createAuditStore(engine),
      tasks: createTaskStore(engine),
      blobs: createBlobStore(engine, blobs),
      shortLived: createShortLivedStore(engine, clock),
      check: async () => {
        await writer.commit([{ sql: "insert or replace into write_check values (1, ?)", parameters: [clock.now()] }]);
        await space.check();
      },
      close: once(async () => {
        jobs.stop();
        // The writer last: the last connection to close checkpoints the write-ahead log and deletes it.
        reader.close();
        await lists.close();
        await writer.close();
        lock.release();
      }),
    };
  } catch (error) {
    lock.release();
    throw toStorageError(error, folder);
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw toStorageError(error, path);
  }
}

function openMigrated(path: string, folder: string, clock: Clock): Reader {
  const database = openWriteConnection(path);
  try {
    migrate(database, path, clock);
    syncFolder(folder);
    return openReadConnection(path);
  } finally {
    database.close();
  }
}
