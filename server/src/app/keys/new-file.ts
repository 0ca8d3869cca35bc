import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner can read, unless there is one. It is there whole or not at all: an empty key, of a full disk, would keep every later start from working (DB-62). */
export function writeNewFile(path: string, content: Uint8Array | string): void {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
