import { isDeepStrictEqual } from "node:util";
import { manifestAt, manifestPart, type PackageFiles } from "#resources";

/** What no import deletes (PKG-26), so that an app can have some that its own import would leave out: those that name a tool which is gone. */
const PARTS: ReadonlySet<string> = new Set(["evaluations", "evaluationDatasets", "evaluationExpectations"]);

/** The manifests of evaluations, datasets and expectations in a package that the export of its import does not have. */
export function evaluationsLeftOut(files: PackageFiles, imported: PackageFiles): PackageFiles {
  const known = new Set([...imported].map(([path, bytes]) => nameIn(path, bytes)));
  return new Map([...files].filter(([path, bytes]) => !known.has(nameIn(path, bytes) ?? path) && isEvaluation(path)));
}

/** Of the manifests that the import of a package leaves out, the paths of those that say what the app has, and that stay as they are. */
export function unchangedPaths(leftOut: PackageFiles, inApp: PackageFiles): ReadonlyMap<string, string> {
  const byName = new Map([...inApp].map(([path, bytes]) => [nameIn(path, bytes), path]));
  return new Map(
    [...leftOut].flatMap(([path, bytes]) => {
      const there = byName.get(nameIn(path, bytes));
      const present = there === undefined ? undefined : inApp.get(there);
      if (there === undefined || !present) return [];
      return isDeepStrictEqual(manifestAt(path, bytes), manifestAt(there, present)) ? [[path, there]] : [];
    }),
  );
}

function isEvaluation(path: string): boolean {
  return PARTS.has(manifestPart(path) ?? "");
}

/** Kind and display name, by which an import knows a resource; undefined for what is no manifest. */
function nameIn(path: string, bytes: Uint8Array): string | undefined {
  if (!isEvaluation(path)) return undefined;
  return `${manifestPart(path)}/${String(manifestAt(path, bytes)?.displayName)}`;
}
