import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ENVIRONMENT_FILE } from "../environment/env-var.ts";
import { KINDS } from "../kinds.ts";
import { APP_MANIFESTS } from "../layout/package-root.ts";
import type { PackageFile } from "../package-files.ts";

/** The files of a package found in a folder, and what lies there beside them. */
export interface PackageFolder {
  /** Paths below the folder, in code-point order. */
  readonly files: readonly PackageFile[];
  /** One sentence for each entry that is not part of a package. */
  readonly warnings: readonly string[];
}

/** Everything a package can have at its top. */
const TOP_ENTRIES: ReadonlySet<string> = new Set([
  ...APP_MANIFESTS,
  "global_instruction.txt",
  ENVIRONMENT_FILE,
  "pythonEnvFiles",
  ...KINDS.map(({ part }) => part),
]);

/**
 * Reads a package that lies unpacked in a folder. Whatever else lives there (README, tests, `.git`) is left alone: hidden
 * entries without a word, others with a warning. Links are not followed.
 */
export async function readPackageFolder(folder: string): Promise<PackageFolder> {
  const warnings: string[] = [];
  const files: PackageFile[] = [];
  for (const entry of await sortedEntries(folder)) {
    if (entry.name.startsWith(".")) continue;
    if (TOP_ENTRIES.has(entry.name)) files.push(...(await readEntry(folder, entry.name, entry, warnings)));
    else
      warnings.push(`${entry.name}${entry.isDirectory() ? "/" : ""}: is not part of an app package and was left out.`);
  }
  return { files, warnings };
}

async function readEntry(
  folder: string,
  path: string,
  entry: Dirent,
  warnings: string[],
): Promise<readonly PackageFile[]> {
  if (entry.isFile()) return [{ path, bytes: await readFile(join(folder, path)) }];
  if (!entry.isDirectory()) {
    warnings.push(`${path}: is neither a file nor a folder and was left out.`);
    return [];
  }
  const files: PackageFile[] = [];
  for (const child of await sortedEntries(join(folder, path))) {
    if (!child.name.startsWith(".")) files.push(...(await readEntry(folder, `${path}/${child.name}`, child, warnings)));
  }
  return files;
}

async function sortedEntries(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
