import type { Findings } from "../findings.ts";
import { KINDS, type Kind } from "../kinds.ts";
import type { PackageFiles } from "../package-files.ts";
import { APP_MANIFESTS } from "./package-root.ts";

/** A resource's manifest file and the folder it was found in. */
export interface ManifestPlace {
  readonly kind: Kind;
  /** The folder's name: the display name made file-safe, or whatever a hand-made package uses. */
  readonly folder: string;
  readonly path: string;
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
 * The manifests of all resources, by kind and folder in code-point order. `<folder>/<folder>.json` is the rule (PKG-5); a folder
 * whose only manifest has another name is accepted with a warning, one without any is reported.
 */
export function findManifests(files: PackageFiles, findings: Findings): readonly ManifestPlace[] {
  return KINDS.flatMap((kind) =>
    foldersOf(kind, files).flatMap((folder) => {
      const path = manifestIn(`${kind.part}/${folder}/`, folder, files, findings);
      return path === undefined ? [] : [{ kind, folder, path }];
    }),
  );
}

function foldersOf({ part }: Kind, files: PackageFiles): readonly string[] {
  const folders = new Set<string>();
  for (const path of files.keys()) {
    const [first, second, ...rest] = path.split("/");
    if (first === part && second !== undefined && rest.length > 0) folders.add(second);
  }
  return [...folders].sort();
}

function manifestIn(prefix: string, folder: string, files: PackageFiles, findings: Findings): string | undefined {
  const direct = [...files.keys()].filter((path) => path.startsWith(prefix) && isManifest(path.slice(prefix.length)));
  const named = direct.filter((path) => EXTENSIONS.some((extension) => path === `${prefix}${folder}${extension}`));
  const [path, ...others] = named.length > 0 ? named : direct;
  if (others.length > 0) findings.violations.push(tooMany([path ?? "", ...others]));
  else if (path === undefined) findings.warnings.push(`${prefix}: has no manifest '${folder}.json' and was ignored.`);
  else if (named.length === 0)
    findings.warnings.push(`${path}: was read as the manifest of '${prefix}'; name it after its folder.`);
  return path;
}

function isManifest(name: string): boolean {
  return !name.includes("/") && EXTENSIONS.some((extension) => name.endsWith(extension));
}

function tooMany(paths: readonly string[]): { field: string; description: string } {
  return { field: paths[0] ?? "", description: `Only one manifest is allowed here, found ${paths.join(" and ")}.` };
}
