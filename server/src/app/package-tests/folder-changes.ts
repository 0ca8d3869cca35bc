import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ifThere } from "#base";

/** Changes within this time, in milliseconds, are one: editors write several files. */
const SETTLE_MS = 60;

/** How often the folder is looked at, in milliseconds. */
const POLL_MS = 150;

/** A folder that is watched. */
interface FolderChanges {
  /** Resolves with the first changes since the last call, or since the watch began; false once the signal aborts. */
  next(): Promise<boolean>;
}

/**
 * Watches a folder: changes that follow each other closely are one. Compares what the file system says of each file, because notifications
 * miss files that an editor replaces.
 */
export async function watchFolder(folder: string, signal: AbortSignal): Promise<FolderChanges> {
  let known = await stateOf(folder);
  return {
    next: async () => {
      let now = known;
      while (now === known && !signal.aborted) {
        await sleep(POLL_MS);
        now = await stateOf(folder);
      }
      do {
        known = now;
        await sleep(SETTLE_MS);
        now = await stateOf(folder);
      } while (now !== known);
      return !signal.aborted;
    },
  };
}

/** Path, size and time of change of all files, as text. A folder may be away for a moment, as when another branch is checked out. */
async function stateOf(folder: string): Promise<string> {
  const entries = (await ifThere(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const states = await Promise.all(
    files.map(async (file) => {
      // A file may go between the two reads.
      const found = await ifThere(stat(file));
      return found ? `${file} ${found.size} ${found.mtimeMs} ${found.ino}` : "";
    }),
  );
  return states.join("\n");
}
