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

/** What a person is told of a folder that cannot be read while it is watched; undefined for any other error. It is read again with its next change. */
export function unreadableText(folder: string, error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOENT" || code === "ENOTDIR" ? "is not there any more" : `cannot be read: ${error.message}`;
  return `${folder} ${reason}. It is read again once it can be.`;
}

/** Path, size and time of change of all files, as text; of a folder that cannot be read, why. */
async function stateOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    const text = unreadableText(folder, error);
    if (text === undefined) throw error;
    return text;
  });
  if (typeof entries === "string") return entries;
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
