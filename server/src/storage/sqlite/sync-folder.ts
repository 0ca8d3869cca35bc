import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names of new files in a folder survive a loss of power. Windows does so by itself and cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
