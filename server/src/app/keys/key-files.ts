import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyStore } from "#storage";
import { writeNewFile } from "./new-file.ts";

/** Keys as files `<name>.key` of the data folder, which only its owner can read. Deleting a file gives a new key at the next start. */
export function createKeyFiles(dataDir: string): KeyStore {
  const pathOf = (name: string) => join(dataDir, `${name}.key`);
  return {
    getOrMake: async (name, make) => {
      writeNewFile(pathOf(name), make());
      return readFileSync(pathOf(name));
    },
    replace: async (name, sealed) => {
      writeFileSync(`${pathOf(name)}.new`, sealed, { mode: 0o600 });
      renameSync(`${pathOf(name)}.new`, pathOf(name));
    },
  };
}
