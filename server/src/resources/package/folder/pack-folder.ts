import { basename, resolve } from "node:path";
import { createFindings, refuseViolations } from "../findings.ts";
import { locateApp } from "../layout/package-root.ts";
import { readZip } from "../zip/read-zip.ts";
import { writeZip } from "../zip/write-zip.ts";
import { readPackageFolder } from "./read-folder.ts";
import { writePackageFolder } from "./write-folder.ts";

/**
 * The zip of a package that lies unpacked in a folder, ready for ImportApp, under one top-level folder of the same name.
 * `time`, in milliseconds since the epoch, is written on all entries.
 */
export async function packFolder(
  folder: string,
  time: number,
): Promise<{ readonly zip: Uint8Array; readonly warnings: readonly string[] }> {
  const { files, warnings } = await readPackageFolder(folder);
  const root = basename(resolve(folder)) || "app";
  const rooted = files.map(({ path, bytes }) => ({ path: `${root}/${path}`, bytes }));
  return { zip: writeZip(rooted, time), warnings };
}

/** Unpacks a package's zip into a folder, without its top-level folder. Answers the paths written. */
export async function unpackToFolder(zip: Uint8Array, folder: string): Promise<readonly string[]> {
  const findings = createFindings();
  const files = locateApp(await readZip(zip), findings);
  refuseViolations(findings);
  await writePackageFolder(
    folder,
    [...files].map(([path, bytes]) => ({ path, bytes })),
  );
  return [...files.keys()];
}
