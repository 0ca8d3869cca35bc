import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BlobPlace } from "../blob-store.ts";

/** Opens a folder of blobs, one file each. They are not in the database because a large one would delay every queued turn. */
export async function openBlobFolder(folder: string): Promise<BlobPlace> {
  const incoming = join(folder, "incoming");
  // Left behind by a server that was killed while it wrote.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const pathOf = (name: string) => join(folder, name);

  async function get(name: string): Promise<Uint8Array | undefined> {
    try {
      return new Uint8Array(await readFile(pathOf(name)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function put(name: string, bytes: Uint8Array): Promise<void> {
    const draft = join(incoming, randomUUID());
    try {
      await writeSynced(draft, bytes);
      await rename(draft, pathOf(name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncNames(folder);
  }

  async function remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(pathOf(name), { force: true })));
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

/** Makes new names in a folder durable, beside other calls: an import stores thousands of blobs. Windows does so by itself and cannot open folders. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
