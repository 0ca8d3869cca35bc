import { type Dirent, existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { invalidArgument } from "#status";
import { ENVIRONMENT_FILE } from "../environment/environment-file.ts";
import { createFindings, throwViolations } from "../findings.ts";
import { KINDS } from "../kinds.ts";
import { APP_MANIFESTS, findAppFiles, GATES_FILE } from "../layout.ts";
import type { PackageFile, PackageFiles } from "../package-files.ts";
import { entryPathProblem, readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";

/**
 * The zip of a package in a folder, ready for ImportApp, with one top-level folder of the same name. `time`, in milliseconds
 * since the epoch, is the time of all entries. INVALID_ARGUMENT when not the folder but one in it has the app's manifest.
 */
export async function packFolder(
  folder: string,
  time: number,
): Promise<{ readonly zip: Uint8Array; readonly warnings: readonly string[] }> {
  const { files, warnings } = await readPackageFolder(folder);
  if (!files.some(({ path }) => APP_MANIFESTS.includes(path))) await checkNoPackageBelow(folder);
  return { zip: await packFiles(files, basename(resolve(folder)) || "app", time), warnings };
}

/** A folder with documents and tests beside that of the app is easily taken for it. */
async function checkNoPackageBelow(folder: string): Promise<void> {
  for (const { name } of await sortedEntries(folder)) {
    const manifest = APP_MANIFESTS.find((file) => existsSync(join(folder, name, file)));
    if (manifest === undefined) continue;
    const description = `${folder} has no app.json or app.yaml. Give ${join(folder, name)}, which has ${manifest}.`;
    throw invalidArgument({ field: "app_content", description });
  }
}

/** The zip of a package's files, in a top-level folder of this name. `time`, in milliseconds since the epoch, is the time of all entries. */
export async function packFiles(files: readonly PackageFile[], root: string, time: number): Promise<Uint8Array> {
  return writeZip(
    files.map(({ path, bytes }) => ({ path: `${root}/${path}`, bytes })),
    time,
  );
}

/** Unpacks a package's zip into a folder, without its top-level folder. Returns the paths of the files. */
export async function unpackToFolder(zip: Uint8Array, folder: string): Promise<readonly string[]> {
  const files = await packageFiles(zip);
  await writePackageFolder(
    folder,
    [...files].map(([path, bytes]) => ({ path, bytes })),
  );
  return [...files.keys()];
}

/** The files of a package's zip, by their paths in its top-level folder. */
export async function packageFiles(zip: Uint8Array): Promise<PackageFiles> {
  const findings = createFindings();
  const files = findAppFiles(await readZip(zip), findings);
  throwViolations(findings);
  return files;
}

/** The files of a package in a folder, and warnings for other entries. */
interface PackageFolder {
  /** Paths relative to the folder, in code-point order. */
  readonly files: readonly PackageFile[];
  /** One sentence for each entry that is not part of a package. */
  readonly warnings: readonly string[];
}

/** All entries that the top of a package can have. */
const TOP_ENTRIES: ReadonlySet<string> = new Set([
  ...APP_MANIFESTS,
  "global_instruction.txt",
  ENVIRONMENT_FILE,
  "pythonEnvFiles",
  ...KINDS.map(({ part }) => part),
]);

/**
 * Reads a package from a folder. Other entries (README, tests) are ignored with a warning, hidden ones (`.git`) and gates
 * without. Links are not
 * followed.
 */
export async function readPackageFolder(folder: string): Promise<PackageFolder> {
  const warnings: string[] = [];
  const files: PackageFile[] = [];
  for (const entry of await sortedEntries(folder)) {
    if (entry.name.startsWith(".") || entry.name === GATES_FILE) continue;
    if (TOP_ENTRIES.has(entry.name)) files.push(...(await readEntry(folder, entry.name, entry, warnings)));
    else
      warnings.push(`${entry.name}${entry.isDirectory() ? "/" : ""}: is not part of an app package and was ignored.`);
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
    warnings.push(`${path}: is neither a file nor a folder and was ignored.`);
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

/** Writes the files of a package to a folder, which is created when it is missing. Existing files are replaced. */
export async function writePackageFolder(folder: string, files: readonly PackageFile[]): Promise<void> {
  for (const { path } of files) {
    const problem = entryPathProblem(path);
    if (problem !== undefined)
      throw invalidArgument({ field: "app_content", description: `Entry ${JSON.stringify(path)} ${problem}.` });
  }
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}
