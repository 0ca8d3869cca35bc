import { createPauses, isJsonObject, type JsonObject, type JsonValue } from "#base";
import { invalidArgument } from "#status";
import { ENVIRONMENT_FILE } from "../../environment/environment-file.ts";
import { createFindings } from "../../findings.ts";
import { KINDS } from "../../kinds.ts";
import { findAppManifest, findManifests } from "../../layout.ts";
import type { ReadManifest } from "../../manifest/read-manifest.ts";
import { type PackageFiles, textFile } from "../../package-files.ts";
import { applyToDocument, type PatchOperation, readPatch } from "./json-patch.ts";

/** A manifest of the package as a part of the patched document. */
interface Part {
  /** `["app"]`, `["environment"]`, `["agents", "<folder>"]`. */
  readonly tokens: readonly [string] | readonly [string, string];
  /** Its file; of a part that the patch adds, the file to be. */
  readonly path: string;
}

/**
 * Applies the JSON patch of an import to the manifests of its package (PKG-33). The document is `app`, `environment` and each kind of resource by folder:
 * `/app/modelSettings/model`, `/agents/Root_Agent/instruction`. Files of manifests that the patch does not change stay as they are.
 * Other calls run meanwhile.
 */
export async function patchPackage(
  files: PackageFiles,
  { text, field }: { readonly text: string; readonly field: string },
  read: ReadManifest,
): Promise<PackageFiles> {
  const patch = readPatch(text, field);
  const parts = partsOf(files);
  const document = await documentOf(parts, files, read);
  await applyToDocument(document, patch, field);
  checkDocument(document, field);
  return withChanges(files, document, parts, patch);
}

/** The manifests of a package. Their own faults are told where they are parsed for good. */
function partsOf(files: PackageFiles): readonly Part[] {
  const unheard = createFindings();
  const app = findAppManifest(files, unheard);
  return [
    ...(app ? [{ tokens: ["app"], path: app } as const] : []),
    ...(files.has(ENVIRONMENT_FILE) ? [{ tokens: ["environment"], path: ENVIRONMENT_FILE } as const] : []),
    ...findManifests(files, unheard).places.flatMap(({ kind, folder, path, problem }): readonly Part[] =>
      problem === undefined ? [{ tokens: [kind.part, folder], path }] : [],
    ),
  ];
}

async function documentOf(parts: readonly Part[], files: PackageFiles, read: ReadManifest): Promise<JsonObject> {
  const pause = createPauses();
  const document: JsonObject = Object.fromEntries(KINDS.map(({ part }) => [part, {}]));
  for (const { tokens, path } of parts) {
    await pause();
    const [first, folder] = tokens;
    const manifest = await read(path, files, createFindings());
    if (!manifest) continue;
    if (folder === undefined) document[first] = manifest.json;
    else (document[first] as JsonObject)[folder] = manifest.json;
  }
  return document;
}

/** INVALID_ARGUMENT for parts that a package does not have. */
function checkDocument(document: JsonObject, field: string): void {
  for (const [name, value] of Object.entries(document)) {
    const kind = KINDS.find(({ part }) => part === name);
    if (!kind && name !== "app" && name !== "environment")
      throw wrong(field, `/${name}: a package has app, environment, ${KINDS.map(({ part }) => part).join(", ")}.`);
    const manifests = kind ? Object.entries(objectAt(value, `/${name}`, field)) : [];
    for (const [folder, manifest] of manifests) {
      if (!/^[^/\\\0]+$/.test(folder) || /^\.+$/.test(folder))
        throw wrong(field, `/${name}/${folder}: is no name of a folder.`);
      objectAt(manifest, `/${name}/${folder}`, field);
    }
    if (!kind) objectAt(value, `/${name}`, field);
  }
  if (document.app === undefined) throw wrong(field, "/app: an import without an app is not possible.");
}

function objectAt(value: JsonValue | undefined, place: string, field: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw wrong(field, `${place}: must be an object after the patch.`);
}

function wrong(field: string, description: string): Error {
  return invalidArgument({ field, description });
}

/** The files with the parts that the patch names written anew. */
async function withChanges(
  files: PackageFiles,
  document: JsonObject,
  parts: readonly Part[],
  patch: readonly PatchOperation[],
): Promise<PackageFiles> {
  const pause = createPauses();
  const changed = new Map(files);
  const known = new Map(parts.map((part) => [part.tokens.join("/"), part]));
  for (const key of await changedParts(document, parts, patch)) {
    await pause();
    const [first = "", folder] = key.split("/");
    const around = document[first];
    const value = folder === undefined ? around : isJsonObject(around) ? around[folder] : undefined;
    const path = known.get(key)?.path ?? (folder === undefined ? `${first}.json` : `${key}/${folder}.json`);
    if (value === undefined) changed.delete(path);
    // JSON is YAML, too: the name of the file can stay.
    else changed.set(path, textFile(path, JSON.stringify(value, null, 2)).bytes);
  }
  return changed;
}

/** The parts that operations change: those that they name, or all of a kind. */
async function changedParts(
  document: JsonObject,
  parts: readonly Part[],
  patch: readonly PatchOperation[],
): Promise<ReadonlySet<string>> {
  const pause = createPauses();
  const changed = new Set<string>();
  for (const { op, path, from } of patch) {
    await pause();
    if (op === "test") continue;
    for (const [first, folder] of [path, ...(op === "move" && from ? [from] : [])]) {
      if (first === undefined) continue;
      if (first === "app" || first === "environment") changed.add(first);
      else if (folder !== undefined) changed.add(`${first}/${folder}`);
      else {
        const now = document[first];
        for (const name of isJsonObject(now) ? Object.keys(now) : []) changed.add(`${first}/${name}`);
        for (const { tokens } of parts) if (tokens[0] === first) changed.add(tokens.join("/"));
      }
    }
  }
  return changed;
}
