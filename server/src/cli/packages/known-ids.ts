import type { PackageFile, PackageFiles } from "#app";
import { isJsonObject, type JsonObject } from "#base";
import { manifestAt, manifestPart } from "./manifest.ts";

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
    return manifest && id !== undefined && manifest.name === undefined ? { ...file, bytes: withId(file, id) } : file;
  });
}

/** Ahead of all else, so that the lines of a file of YAML stay as they are. */
function withId({ path, bytes }: PackageFile, id: string): Uint8Array {
  const text = Buffer.from(bytes).toString("utf8");
  if (!path.endsWith(".json")) return Buffer.from(`name: ${JSON.stringify(id)}\n${text}`);
  const manifest: unknown = JSON.parse(text);
  const named: JsonObject = { name: id, ...(isJsonObject(manifest) ? manifest : {}) };
  return Buffer.from(JSON.stringify(named, null, 2));
}

/** A resource's manifest is JSON or YAML under one name. */
function stem(path: string): string {
  return manifestPart(path) === undefined ? path : path.replace(/\.(json|ya?ml)$/, "");
}
