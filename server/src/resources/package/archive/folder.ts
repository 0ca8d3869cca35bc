import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { invalidArgument } from "#status";
import { createFindings, throwViolations } from "../findings.ts";
import { APP_MANIFESTS, findAppFiles } from "../layout.ts";
import type { PackageFile, PackageFiles } from "../package-files.ts";
import { readPackageFolder, sortedEntries } from "./read-folder.ts";
import { readZip } from "./read-zip.ts";
import { writePackageFolder } from "./write-folder.ts";
import { writeZip } from "./write-zip.ts";

export { readPackageFolder, writePackageFolder };

/**
 * The zip of a package in a folder, ready for ImportApp, with one top-level folder of the same name. `time`, in milliseconds
 * since the epoch, is the time of all entries. INVALID_ARGUMENT when not the folder but one in it has the app's manifest.
 */
export async function packFolder(folder: string, time: number): Promise<PackedFolder> {
  const { files, warnings } = await readPackageFolder(folder);
  if (!files.some(({ path }) => APP_MANIFESTS.includes(path))) await checkNoPackageBelow(folder);
  // Packages have no backslash in their paths; here it may be in a folder's name.
  const root = basename(resolve(folder)).replaceAll("\\", "-") || "app";
  return { files, zip: await packFiles(files, root, time), warnings };
}

interface PackedFolder {
  readonly files: readonly PackageFile[];
  readonly zip: Uint8Array;
  /** One sentence for each entry that is not part of a package. */
  readonly warnings: readonly string[];
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
