import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toStorageError } from "./to-storage-error.ts";

/** As much as the log of writes grows by in a busy second. */
const BYTES = 1_048_576;

/** Writes a file of a megabyte beside the database, and removes it. Rejects with the `StorageError` of the folder. */
export async function takeSpace(folder: string): Promise<void> {
  const path = join(folder, "space-check");
  try {
    await writeFile(path, Buffer.alloc(BYTES, 1), { flush: true });
  } catch (error) {
    throw toStorageError(error, folder);
  } finally {
    await rm(path, { force: true });
  }
}
