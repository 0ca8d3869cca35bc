import type { JsonObject } from "#base";
import type { PackageFile, PackageFiles } from "./package-files.ts";
import { manifestAt, manifestPart } from "./resource-manifest.ts";

/**
 * Files of a package to send, in which manifests without an id have that of the app's resource of the same display name, so that what is imported in its place
 * is not a new resource. `after`: the app as it will be, with JSON manifests.
 */
export function withKnownIds(files: readonly PackageFile[], after: PackageFiles): readonly PackageFile[] {
  const ids = new Map(
    [...after].flatMap(([path, bytes]) => {
      const id = manifestAt(path, bytes)?.name;
      return typeof id === "string" ? [[stem(path), id]] : [];
    }),
  );
  return files.map((file) => {
    const id = ids.get(stem(file.path));
    const manifest = id === undefined ? undefined : manifestAt(file.path, file.bytes);
    if (!manifest || id === undefined || manifest.name !== undefined) return file;
    return { ...file, bytes: withId(file, manifest, id) };
  });
}

/** Ahead of all else, so that the lines of a file of YAML stay as they are. */
function withId({ path, bytes }: PackageFile, manifest: JsonObject, id: string): Uint8Array {
  if (path.endsWith(".json")) return Buffer.from(JSON.stringify({ ...manifest, name: id }, null, 2));
  return Buffer.concat([Buffer.from(`name: ${JSON.stringify(id)}\n`), bytes]);
}

/** A resource's manifest is JSON or YAML under one name. */
function stem(path: string): string {
  return manifestPart(path) === undefined ? path : path.replace(/\.(json|ya?ml)$/, "");
}
