import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { requireBlobSize } from "../blob-size.ts";
import type { BlobStore } from "../contract.ts";
import { syncFolder } from "./data-folder.ts";

/**
 * Opens a folder of blobs, one file each, named by the SHA-256 of its key, so that no key is a path. They are not
 * in the database because a large one would delay every queued turn.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const incoming = join(folder, "incoming");
  // Left behind by a server that was killed while it wrote.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(folder, createHash("sha256").update(key).digest("hex"));

  async function get(key: string): Promise<Uint8Array | undefined> {
    try {
      return new Uint8Array(await readFile(pathOf(key)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    requireBlobSize(bytes);
    const draft = join(incoming, randomUUID());
    try {
      await writeSynced(draft, bytes);
      await rename(draft, pathOf(key));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    syncFolder(folder);
  }

  async function remove(key: string): Promise<void> {
    await rm(pathOf(key), { force: true });
  }

  return { get, put, remove };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
