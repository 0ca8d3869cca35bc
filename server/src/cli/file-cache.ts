import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Milliseconds for which a file is kept after it was last written: 90 days, as a server keeps them (EVAL-60). */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Bytes by key, each a file of a folder. What nobody wrote again for 90 days is not given any more, and the first file that is put erases it. */
export function fileCache(folder: string) {
  const pathOf = (key: string) => join(folder, key.replaceAll(/[^A-Za-z0-9-]/g, "_"));
  let erased: Promise<void> | undefined;
  return {
    get: async (key: string): Promise<Uint8Array | undefined> =>
      (await isOver(pathOf(key))) ? undefined : readFile(pathOf(key)).catch(() => undefined),
    /** A reader sees the old bytes or the new ones. */
    put: async (key: string, bytes: Uint8Array): Promise<void> => {
      await mkdir(folder, { recursive: true });
      erased ??= eraseOld(folder);
      await erased;
      const part = `${pathOf(key)}.${process.pid}`;
      await writeFile(part, bytes);
      await rename(part, pathOf(key));
    },
  };
}

async function eraseOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (await isOver(path)) await rm(path, { force: true });
  }
}

/** Also whether there is none. */
async function isOver(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs > KEPT_MS;
}
