import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidArgument } from "#status";
import type { PackageFile } from "../package-files.ts";
import { pathProblem } from "../zip/entry-path.ts";

/** Writes the files of a package below a folder, which is made when it is missing. Files that are there already are replaced. */
export async function writePackageFolder(folder: string, files: readonly PackageFile[]): Promise<void> {
  for (const { path } of files) {
    const problem = pathProblem(path);
    if (problem !== undefined)
      throw invalidArgument({ field: "app_content", description: `Entry ${JSON.stringify(path)} ${problem}.` });
  }
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}
