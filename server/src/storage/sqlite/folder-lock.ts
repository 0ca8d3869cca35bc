import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "#base";
import { StorageFault } from "../storage-fault.ts";
import { hasResultCode, SQLITE_BUSY } from "./describe-fault.ts";

/** A data folder held by this process. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process, or throws LOCKED at once. The lock is the operating system's, on a file that SQLite
 * keeps open: it goes with the process, however that ends, so nothing stale is ever left behind. The note beside it
 * only serves the sentence that the second server prints.
 */
export function lockFolder(folder: string, clock: Clock): FolderLock {
  const notePath = join(folder, "lock.json");
  const lock = new DatabaseSync(join(folder, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw hasResultCode(error, SQLITE_BUSY) ? lockedFault(folder, readNote(notePath)) : error;
  }
  writeFileSync(notePath, JSON.stringify({ pid: process.pid, since: new Date(clock.now()).toISOString() }));
  return {
    release: () => {
      rmSync(notePath, { force: true });
      lock.close();
    },
  };
}

function lockedFault(folder: string, holder: string): StorageFault {
  return new StorageFault(
    "LOCKED",
    `The data folder '${folder}' is in use by another server${holder}: stop that one, or start this one with a folder of its own.`,
  );
}

function readNote(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, "utf8")) as { pid: unknown; since: unknown };
    return ` (process ${pid}, since ${since})`;
  } catch {
    // The other server may be between taking the lock and writing its note; the refusal is as true without it.
    return "";
  }
}
