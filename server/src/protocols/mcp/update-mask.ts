import type { DescField, DescMethod, Message } from "@bufbuild/protobuf";
import { classifyMethod } from "#aip";
import { isJsonObject, type JsonObject } from "#base";
import { invalidArgument } from "#status";
import { fieldsByName } from "../json/fields.ts";

/**
 * Rejects an update without a mask, and names the mask for the fields that were sent. Over the other protocols a missing mask replaces the
 * whole resource: a model that meant one field would clear all others (MCP-7).
 */
export function requireUpdateMask(method: DescMethod, request: Message, args: JsonObject): void {
  const standard = classifyMethod(method);
  if (standard?.kind !== "update") return;
  const { updateMask } = request as Message & { readonly updateMask?: { readonly paths: readonly string[] } };
  if (updateMask && updateMask.paths.length > 0) return;
  const sent = args[standard.body.jsonName] ?? args[standard.body.name];
  const paths = isJsonObject(sent) ? changedPaths(sent, standard.body) : [];
  throw invalidArgument({ field: "update_mask", description: advice(paths, standard.body.jsonName) });
}

function advice(paths: readonly string[], body: string): string {
  if (paths.length === 0) return `An update names the fields to change, and '${body}' has none besides its name.`;
  return `An update names the fields to change; everything else stays. Send "updateMask": ${JSON.stringify(paths.join(","))} to change just what '${body}' holds.`;
}

/** Fields that identify the resource and its state. */
const KEYS: ReadonlySet<string> = new Set(["name", "etag"]);

/** Paths of the fields within messages; members of oneofs, lists and maps as a whole. */
function changedPaths(object: JsonObject, { message }: DescField, before = ""): readonly string[] {
  const fields = message ? fieldsByName(message) : new Map<string, DescField>();
  return Object.entries(object).flatMap(([key, value]) => {
    const field = fields.get(key);
    if (!field || (before === "" && KEYS.has(field.name))) return [];
    const path = `${before}${field.jsonName}`;
    return hasPaths(field) && isJsonObject(value) ? changedPaths(value, field, `${path}.`) : [path];
  });
}

function hasPaths(field: DescField): boolean {
  return field.fieldKind === "message" && !field.oneof && !field.message.typeName.startsWith("google.protobuf.");
}
