import type { Findings } from "../findings.ts";
import { KINDS } from "../kinds.ts";
import type { PackageFiles } from "../package-files.ts";

/**
 * Warns of every file that no manifest uses, so that a misspelt path or folder shows. Whole folders that are not part of a
 * package (`evals/`, `docs/`) are named once with their number of files.
 */
export function reportUnusedFiles(files: PackageFiles, used: ReadonlySet<string>, findings: Findings): void {
  const known = new Set<string>(KINDS.map(({ part }) => part));
  const foreign = new Map<string, number>();
  for (const path of files.keys()) {
    if (used.has(path)) continue;
    const [top = path, ...rest] = path.split("/");
    if (rest.length > 0 && !known.has(top)) foreign.set(top, (foreign.get(top) ?? 0) + 1);
    else findings.warnings.push(`${path}: is not used by any manifest and was ignored.`);
  }
  for (const [folder, count] of foreign) {
    findings.warnings.push(
      `${folder}/ (${count} ${count === 1 ? "file" : "files"}): is not part of an app package and was ignored.`,
    );
  }
}
