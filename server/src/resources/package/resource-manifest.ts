import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "#base";

/** `agents/Front_desk/Front_desk.json`: the folder of the kind, and the resource's folder and manifest, which have one name. */
const MANIFEST = /^([A-Za-z]+)\/([^/]+)\/\2\.(?:json|ya?ml)$/;

/** The kind of the resource whose manifest this path is, such as `agents`; undefined for any other file. */
export function manifestPart(path: string): string | undefined {
  return MANIFEST.exec(path)?.[1];
}

/** The manifest of a resource; undefined for any other file, and for one that cannot be parsed, which the import tells. */
export function manifestAt(path: string, bytes: Uint8Array): JsonObject | undefined {
  if (manifestPart(path) === undefined) return undefined;
  try {
    const text = Buffer.from(bytes).toString("utf8");
    const manifest: unknown = path.endsWith(".json") ? JSON.parse(text) : parse(text);
    return isJsonObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
