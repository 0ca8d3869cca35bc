import { fileSafeName } from "#base";
import type { Findings } from "./findings.ts";
import { KINDS, type Kind } from "./kinds.ts";
import type { PackageFile, PackageFiles } from "./package-files.ts";

/** File names of the app's manifest, which also identify the package's folder. */
export const APP_MANIFESTS: readonly string[] = ["app.json", "app.yaml", "app.yml"];

/** What `frontdesk eval` decides by: it lies beside the app's manifest, and no part of the app is made from it (EVAL-24). */
export const GATES_FILE = "evaluation_gates.yaml";

/** Files that operating systems add to archives: ignored without a warning. */
const SYSTEM_FILES = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/**
 * The files of the app below the one top-level folder, whatever its name (PKG-1). A manifest at the root is
 * accepted with a warning; files outside the folder are ignored with a warning.
 */
export function findAppFiles(files: readonly PackageFile[], findings: Findings): PackageFiles {
  const kept = files.filter(({ path }) => !SYSTEM_FILES.test(path));
  if (kept.some(({ path }) => APP_MANIFESTS.includes(path))) {
    findings.warnings.push("The package has no top-level folder: its files were read from the root of the archive.");
    return new Map(kept.map(({ path, bytes }) => [path, bytes]));
  }
  const roots = new Set(kept.flatMap(({ path }) => (isAppManifest(path) ? [topFolder(path)] : [])));
  const [root, ...others] = roots;
  if (root === undefined || others.length > 0) {
    findings.violations.push({ field: "app_content", description: rootProblem([...roots]) });
    return new Map();
  }
  return filesBelow(root, kept, findings);
}

function isAppManifest(path: string): boolean {
  const slash = path.indexOf("/");
  return slash > 0 && APP_MANIFESTS.includes(path.slice(slash + 1));
}

function topFolder(path: string): string {
  return path.slice(0, path.indexOf("/"));
}

function rootProblem(roots: readonly string[]): string {
  if (roots.length > 1) return `The package has ${roots.length} apps (${roots.join(", ")}); import them one by one.`;
  return "The package has no app.json or app.yaml in a single top-level folder.";
}

function filesBelow(root: string, files: readonly PackageFile[], findings: Findings): PackageFiles {
  const prefix = `${root}/`;
  const below = new Map<string, Uint8Array>();
  for (const { path, bytes } of files) {
    if (path.startsWith(prefix)) below.set(path.slice(prefix.length), bytes);
    else findings.warnings.push(`${path}: is outside the app's folder '${root}' and was ignored.`);
  }
  return below;
}

/** A resource's manifest file and its folder. */
export interface ManifestPlace {
  readonly kind: Kind;
  /** The folder's name: the file-safe display name, or any name in a package that was written by hand. */
  readonly folder: string;
  readonly path: string;
  /** Why no file of the folder can be its manifest; `path` is the first of those that could. */
  readonly problem?: string;
}

/** The manifests of a package, and the folders of resources without one. */
interface FoundManifests {
  readonly places: readonly ManifestPlace[];
  readonly withoutManifest: readonly Omit<ManifestPlace, "path">[];
}

const EXTENSIONS = [".json", ".yaml", ".yml"];

/** The app's manifest; a violation and undefined when there is none, or more than one. */
export function findAppManifest(files: PackageFiles, findings: Findings): string | undefined {
  const [path, ...others] = APP_MANIFESTS.filter((name) => files.has(name));
  if (others.length > 0) findings.violations.push(tooMany([path ?? "", ...others]));
  if (path === undefined) {
    findings.violations.push({ field: "app_content", description: "The package has no app.json or app.yaml." });
  }
  return path;
}

/**
 * The manifests of all resources, by kind and folder in code-point order. A manifest is `<folder>/<folder>.json` (PKG-5); a single manifest
 * with another name is accepted with a warning; a folder without a manifest is a warning.
 */
export function findManifests(files: PackageFiles, findings: Findings): FoundManifests {
  const byFolder = filesByFolder(files);
  const folders = KINDS.flatMap((kind) => foldersOf(kind, byFolder).map((folder) => ({ kind, folder })));
  const found = folders.map((place) => manifestIn(place, byFolder, files, findings) ?? place);
  return {
    places: found.filter((place) => "path" in place),
    withoutManifest: found.filter((place) => !("path" in place)),
  };
}

function foldersOf({ part }: Kind, byFolder: ReadonlyMap<string, unknown>): readonly string[] {
  const prefix = `${part}/`;
  const folders = [...byFolder.keys()].filter((folder) => folder.startsWith(prefix));
  return folders.map((folder) => folder.slice(prefix.length, -1)).sort();
}

/** The paths of a package by their resource's folder, e.g. `tools/lookup/`. */
export function filesByFolder(files: PackageFiles): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(files.keys(), (path) => /^[^/]*\/[^/]*\//.exec(path)?.[0] ?? "");
}

function manifestIn(
  place: Omit<ManifestPlace, "path">,
  byFolder: ReadonlyMap<string, readonly string[]>,
  files: PackageFiles,
  { warnings }: Findings,
): ManifestPlace | undefined {
  const { kind, folder } = place;
  const prefix = `${kind.part}/${folder}/`;
  const direct = (byFolder.get(prefix) ?? []).filter((path) => isManifest(path.slice(prefix.length)));
  // With several endings the first counts, and `reportUnusedFiles` tells the others.
  const named = EXTENSIONS.map((extension) => `${prefix}${folder}${extension}`).find((path) => files.has(path));
  const path = named ?? direct[0];
  if (path === undefined) warnings.push(`${prefix}: has no manifest '${folder}.json' and was ignored.`);
  else if (named === undefined && direct.length > 1) {
    return {
      ...place,
      path,
      problem: `has several manifests (${direct.join(", ")}) and none is '${folder}.json'`,
    };
  } else if (named === undefined)
    warnings.push(`${path}: was read as the manifest of '${prefix}'; name it after its folder.`);
  return path === undefined ? undefined : { ...place, path };
}

function isManifest(name: string): boolean {
  return !name.includes("/") && EXTENSIONS.some((extension) => name.endsWith(extension));
}

function tooMany(paths: readonly string[]): { field: string; description: string } {
  return { field: paths[0] ?? "", description: `Only one manifest is allowed here, found ${paths.join(" and ")}.` };
}

/**
 * Adds a warning for every file that no manifest uses, so that a misspelt path or folder is noticed. A folder that is not part of a
 * package (`evals/`, `docs/`) is one warning with its number of files.
 */
export function reportUnusedFiles(files: PackageFiles, used: ReadonlySet<string>, findings: Findings): void {
  const known = new Set<string>(KINDS.map(({ part }) => part));
  const foreign = new Map<string, number>();
  for (const path of files.keys()) {
    if (used.has(path) || path === GATES_FILE) continue;
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

/**
 * Folder names for the display names of one kind, in the same order. What the hosted product does when two names become
 * the same is unknown (PKG-7); here the later ones get `_2`, `_3`, … so that no file is written twice.
 */
export function folderNames(displayNames: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return displayNames.map((displayName) => {
    const base = fileSafeName(displayName) || "_";
    let count = counts.get(base) ?? 1;
    let name = count === 1 ? base : `${base}_${count}`;
    while (taken.has(name)) name = `${base}_${++count}`;
    counts.set(base, count);
    taken.add(name);
    return name;
  });
}
