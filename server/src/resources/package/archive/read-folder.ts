import type { Dirent, Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { invalidArgument } from "#status";
import { ENVIRONMENT_FILE } from "../environment/environment-file.ts";
import { createFindings, type Findings, throwViolations } from "../findings.ts";
import { KINDS } from "../kinds.ts";
import { APP_MANIFESTS, GATES_FILE } from "../layout.ts";
import type { PackageFile } from "../package-files.ts";
import { isWithin, linkBoundary } from "./link-boundary.ts";
import { PACKAGE_LIMITS, type PackageLimits } from "./read-zip.ts";

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
 * Reads a package from a folder. Other entries (README, tests) are ignored with a warning, hidden ones (`.git`) and gates without. A link is read as what
 * it leads to, inside of the folder or of its git repository (`link-boundary.ts`). INVALID_ARGUMENT, with all of them, for links that lead elsewhere or to
 * nothing, and for what is neither a file nor a folder: a package without them would be another one.
 */
export async function readPackageFolder(
  folder: string,
  limits: PackageLimits = PACKAGE_LIMITS,
): Promise<PackageFolder> {
  const findings = createFindings();
  const entries = await sortedEntries(folder);
  const real = await realpath(folder);
  const walk: Walk = {
    folder,
    real,
    boundary: await linkBoundary(real),
    paths: [],
    most: 2 * limits.entries,
    findings,
  };
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === GATES_FILE) continue;
    if (TOP_ENTRIES.has(entry.name)) await listEntry(entry.name, entry, [real], walk);
    else
      findings.warnings.push(
        `${entry.name}${entry.isDirectory() ? "/" : ""}: is not part of an app package and was ignored.`,
      );
  }
  throwViolations(findings);
  checkCount(walk, limits);
  return { files: await readFiles(walk, limits), warnings: findings.warnings };
}

/** The entries of a folder by name. */
export async function sortedEntries(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The listing of a folder's files before any is read. */
interface Walk {
  readonly folder: string;
  /** The folder's own path. */
  readonly real: string;
  /** Where links may lead, beside the folder. */
  readonly boundary: string;
  /** Of the files so far, relative to the folder. */
  readonly paths: string[];
  /** Files after which nothing more is listed: links of folders to folders could name any number. */
  readonly most: number;
  readonly findings: Findings;
}

/** Adds the files of an entry. `above`: the real paths of the folders that it is in. */
async function listEntry(
  path: string,
  entry: Pick<Dirent, "name" | "isSymbolicLink" | "isFile" | "isDirectory">,
  above: readonly string[],
  walk: Walk,
): Promise<void> {
  if (walk.paths.length > walk.most) return;
  if (entry.isSymbolicLink()) return listLink(path, above, walk);
  if (entry.isDirectory()) return listFolder(path, [...above, join(above.at(-1) ?? "", entry.name)], walk);
  if (entry.isFile()) walk.paths.push(path);
  else refuse(path, "is neither a file nor a folder. Remove it.", walk);
}

async function listFolder(path: string, above: readonly string[], walk: Walk): Promise<void> {
  for (const child of await sortedEntries(join(walk.folder, path)))
    if (!child.name.startsWith(".")) await listEntry(`${path}/${child.name}`, child, above, walk);
}

async function listLink(path: string, above: readonly string[], walk: Walk): Promise<void> {
  const found = await targetOf(join(walk.folder, path));
  if (!found) return refuse(path, "is a link that leads to nothing that can be read. Remove it.", walk);
  const { real, stats } = found;
  if (!isWithin(walk.real, real) && !isWithin(walk.boundary, real)) {
    const description = `is a link that leads out of ${walk.boundary}, or to something hidden in it. Put a copy in its place, or keep both in one git repository.`;
    return refuse(path, description, walk);
  }
  if (above.includes(real)) return refuse(path, "is a link to a folder that it is in. Remove it.", walk);
  if (stats.isDirectory()) return listFolder(path, [...above, real], walk);
  if (stats.isFile()) walk.paths.push(path);
  else refuse(path, "is a link to what is neither a file nor a folder. Remove it.", walk);
}

/** What a link leads to at last; undefined: to nothing, in a circle, or to what may not be read. */
async function targetOf(link: string): Promise<{ readonly real: string; readonly stats: Stats } | undefined> {
  try {
    const real = await realpath(link);
    return { real, stats: await stat(real) };
  } catch {
    return undefined;
  }
}

function refuse(field: string, description: string, { findings }: Walk): void {
  findings.violations.push({ field, description });
}

function checkCount({ folder, paths, most }: Walk, { entries }: PackageLimits): void {
  if (paths.length <= entries) return;
  const count = paths.length > most ? `more than ${most}` : paths.length;
  throw folderError(`${folder} has ${count} files; a package has at most ${entries}.`);
}

async function readFiles({ folder, paths }: Walk, { totalBytes }: PackageLimits): Promise<readonly PackageFile[]> {
  const files: PackageFile[] = [];
  let total = 0;
  for (const path of paths) {
    const at = join(folder, path);
    total += (await stat(at)).size;
    if (total > totalBytes) throw folderError(`The files of ${folder} have more than ${totalBytes} bytes.`);
    files.push({ path, bytes: await readNamed(at) });
  }
  return files;
}

/** The system does not name the file of an error in the middle of reading. */
async function readNamed(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw Object.assign(error as Error, { path });
  });
}

function folderError(description: string): Error {
  return invalidArgument({ field: "app_content", description });
}
