import type { PackageFiles } from "#app";
import { changesBetween, type FileChange } from "./file-changes.ts";
import { asJson, type Preview } from "./preview.ts";

const ENVIRONMENT = "environment.json";

/**
 * Of the changes that make the files of a folder those of an app, the ones that say something else: files that an import would read as the app has
 * them stay as somebody wrote them. `preview`: the app, and what it would be with the folder in its place. A file goes with its resource unless the folder has it
 * in the form of an export, and all go together where values of the environment stand elsewhere than in an export.
 */
export function unlikeFiles(folder: PackageFiles, app: PackageFiles, preview: Preview): readonly FileChange[] {
  const changes = changesBetween(folder, app);
  const unlike = new Set(changesBetween(preview.after, preview.before).map(({ path }) => path));
  const exported = preview.after;
  if (unlike.size > 0 && !isSameFile(ENVIRONMENT, folder, exported)) return changes;
  const unlikeOwners = new Set([...unlike].map(ownerOf));
  const [inFolder, inApp] = [filesByOwner(folder), filesByOwner(app)];
  const inExport = filesByOwner(exported);
  return changes.filter(({ path }) => {
    const owner = ownerOf(path);
    if (!unlikeOwners.has(owner)) return owner.includes("/") && !(inFolder.has(owner) && inApp.has(owner));
    return unlike.has(asJson(path)) || !isExportForm(inFolder.get(owner), inExport.get(owner));
  });
}

/** The folder of a resource, `tools/lookup`; what belongs to the app is "app", and a file of its own its name. */
function ownerOf(path: string): string {
  const [kind = path, resource] = path.split("/");
  if (resource === undefined) return kind === ENVIRONMENT ? kind : "app";
  return kind === "pythonEnvFiles" ? kind : `${kind}/${resource}`;
}

function filesByOwner(files: PackageFiles): ReadonlyMap<string, PackageFiles> {
  const byOwner = new Map<string, Map<string, Uint8Array>>();
  for (const [path, bytes] of files) {
    const owner = ownerOf(path);
    byOwner.set(owner, (byOwner.get(owner) ?? new Map()).set(asJson(path), bytes));
  }
  return byOwner;
}

/** Whether the files of a resource have the names of an export, and its texts their contents: then each can be written without the others. */
function isExportForm(files: PackageFiles = new Map(), exported: PackageFiles = new Map()): boolean {
  if (files.size !== exported.size) return false;
  return [...files.keys()].every(
    (path) => exported.has(path) && (path.endsWith(".json") || isSameFile(path, files, exported)),
  );
}

function isSameFile(path: string, one: PackageFiles, other: PackageFiles): boolean {
  const only = (files: PackageFiles): PackageFiles => {
    const bytes = files.get(path);
    return new Map(bytes ? [[path, bytes]] : []);
  };
  return changesBetween(only(one), only(other)).length === 0;
}
