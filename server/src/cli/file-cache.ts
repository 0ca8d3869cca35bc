import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Bytes by key, each a file of a folder. */
export function fileCache(folder: string) {
  const pathOf = (key: string) => join(folder, key.replaceAll(/[^A-Za-z0-9-]/g, "_"));
  return {
    get: (key: string): Promise<Uint8Array | undefined> => readFile(pathOf(key)).catch(() => undefined),
    /** A reader sees the old bytes or the new ones. */
    put: async (key: string, bytes: Uint8Array): Promise<void> => {
      await mkdir(folder, { recursive: true });
      const part = `${pathOf(key)}.${process.pid}`;
      await writeFile(part, bytes);
      await rename(part, pathOf(key));
    },
  };
}
