import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "#base";
import { StorageError } from "../errors.ts";
import { hasResultCode, SQLITE_BUSY } from "./to-storage-error.ts";

/** The lock of this process on a data folder. */
interface FolderLock {
  release(): void;
}

/**
 * Makes the folder if it is missing and locks it for this process; throws LOCKED at once when another process has the lock. The lock is the
 * operating system's, on a file that SQLite keeps open: it ends with the process, so no stale lock is left behind. The JSON file beside it
 * is only for the error message of a second server.
 */
export function lockFolder(folder: string, clock: Clock): FolderLock {
  // Conversations are private: only this user can read the folder.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(join(folder, "frontdesk.db"))) keepOutOfGit(folder);
  const ownerPath = join(folder, "lock.json");
  const lock = new DatabaseSync(join(folder, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw hasResultCode(error, SQLITE_BUSY) ? lockedError(folder, readOwner(ownerPath)) : error;
  }
  writeFileSync(ownerPath, JSON.stringify({ pid: process.pid, since: new Date(clock.now()).toISOString() }));
  return {
    release: () => {
      rmSync(ownerPath, { force: true });
      lock.close();
    },
  };
}

/** A new data folder in a repository must not be committed with the rest: conversations and keys are in it. */
function keepOutOfGit(folder: string): void {
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

function lockedError(folder: string, owner: string): StorageError {
  return new StorageError(
    "LOCKED",
    `The data folder '${folder}' is in use by another server${owner}: stop that server, or start this one with a folder of its own.`,
  );
}

function readOwner(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, "utf8")) as { pid: unknown; since: unknown };
    return ` (process ${pid}, since ${since})`;
  } catch {
    // The other server may not have written the file yet.
    return "";
  }
}

/** Makes new file names in a folder durable. Windows does so by itself and cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
