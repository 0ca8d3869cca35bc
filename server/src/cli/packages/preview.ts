import type { PackageFiles } from "#app";
import { CommandError } from "../command.ts";
import { showElapsed } from "../output/progress-bar.ts";
import { refusalText } from "../server/refusal-text.ts";
import { changesBetween } from "./file-changes.ts";

/** A package, and what to call it where it has a fault. */
export interface LabelledPackage {
  readonly label: string;
  readonly zip: Uint8Array;
}

/** An app before and after a package took its place: the files of its exports, with JSON manifests. */
export interface Preview {
  /** Without any when there was no app. */
  readonly before: PackageFiles;
  readonly after: PackageFiles;
  /** What the import of the next package leaves out, as its warnings. */
  readonly omitted: readonly string[];
}

/** What an app is when the package `next` takes the place of `present`. Throws `CommandError`, which says whose it is, for the fault of a package. */
export async function previewOf(present: LabelledPackage | undefined, next: LabelledPackage): Promise<Preview> {
  const { packageFiles, previewImport } = await import("#app");
  const progress = showElapsed("Comparing the app", process.stderr);
  try {
    const same = present && (await sameFiles(present, next, packageFiles));
    if (same) return { before: same, after: same, omitted: [] };
    const preview = await previewImport(present?.zip, next.zip);
    if (!("fault" in preview)) return preview;
    const { label } = preview.fault === "present" && present ? present : next;
    throw new CommandError(`${label}: ${refusalText(preview.error)}`);
  } finally {
    progress.end();
  }
}

/** The files of two packages that say the same as they are, which is known in no time; undefined where only an import can tell, which takes a while. */
async function sameFiles(
  present: LabelledPackage,
  next: LabelledPackage,
  packageFiles: (zip: Uint8Array) => Promise<PackageFiles>,
): Promise<PackageFiles | undefined> {
  try {
    const [before, after] = [await packageFiles(present.zip), await packageFiles(next.zip)];
    const [one, other] = [comparable(before), comparable(after)];
    const isSame = one.size === other.size && [...one.keys()].every((path) => other.has(path));
    return isSame && changesBetween(one, other).length === 0 ? before : undefined;
  } catch {
    return undefined; // The import says whose fault it is.
  }
}

/** YAML by the name that it would have as JSON, and without the file that is always empty (PKG-8). */
function comparable(files: PackageFiles): PackageFiles {
  return new Map(
    [...files].flatMap(([path, bytes]) => (path.startsWith("pythonEnvFiles/") ? [] : [[asJson(path), bytes]])),
  );
}

/** The path of a manifest in a package with JSON manifests; other paths as they are, but for YAML of any kind. */
export function asJson(path: string): string {
  return path.replace(/\.ya?ml$/, ".json");
}
