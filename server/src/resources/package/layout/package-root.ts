import type { Findings } from "../findings.ts";
import type { PackageFile, PackageFiles } from "../package-files.ts";

/** Names of the app's own manifest, which also mark the folder a package lives in. */
export const APP_MANIFESTS: readonly string[] = ["app.json", "app.yaml", "app.yml"];

/** What operating systems leave in archives: nobody meant it to be in the package, so nobody is told. */
const CLUTTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/**
 * The files of the app below the one top-level folder, whatever its name (PKG-1). A manifest at the root is
 * accepted with a warning; files beside the folder are ignored with one.
 */
export function locateApp(files: readonly PackageFile[], findings: Findings): PackageFiles {
  const kept = files.filter(({ path }) => !CLUTTER.test(path));
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
  if (roots.length > 1) return `The package holds ${roots.length} apps (${roots.join(", ")}); import them one by one.`;
  return "The package has no app.json or app.yaml in a single top-level folder.";
}

function filesBelow(root: string, files: readonly PackageFile[], findings: Findings): PackageFiles {
  const prefix = `${root}/`;
  const below = new Map<string, Uint8Array>();
  for (const { path, bytes } of files) {
    if (path.startsWith(prefix)) below.set(path.slice(prefix.length), bytes);
    else findings.warnings.push(`${path}: lies outside the app's folder '${root}' and was ignored.`);
  }
  return below;
}
