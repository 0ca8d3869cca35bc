import { clone, type DescMessage } from "@bufbuild/protobuf";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import type { Findings } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";
import { decodeText } from "../package-files.ts";

/** The names of a resource in a package: its display name, then others that references may use. */
export type DisplayNames = readonly [string, ...string[]];

/**
 * The display names of a resource. A tool's is the name in its type, not the one in the manifest (Tool.display_name is
 * output only); else the manifest's, else the folder's name.
 */
export function displayNamesOf(
  message: PackagedResource,
  path: string,
  folder: string,
  findings: Findings,
): DisplayNames {
  const { displayName } = message;
  if (message.$typeName === "google.cloud.ces.v1beta.Tool") return toolNames(message, path, folder, findings);
  if (displayName !== "") return [displayName];
  findings.warnings.push(`${path}: displayName: is missing; '${folder}' was used.`);
  return [folder];
}

function toolNames({ displayName, toolType }: Tool, path: string, folder: string, findings: Findings): DisplayNames {
  const own = toolType.case === undefined ? "" : toolType.value.name;
  const name = own || displayName || folder;
  if (displayName === "" || displayName === name) return [name];
  findings.warnings.push(
    `${path}: displayName: is '${displayName}', but a tool's display name is the name in its type: '${name}'.`,
  );
  return [name, displayName];
}

/**
 * A copy of a resource with its display name. A tool whose type has no name gets it there too, because the display name is derived from it.
 * A Python function keeps an empty name, which means the first function of the file.
 */
export function withDisplayName(schema: DescMessage, message: PackagedResource, displayName: string): PackagedResource {
  const named = Object.assign(clone(schema, message) as PackagedResource, { displayName });
  if (named.$typeName !== "google.cloud.ces.v1beta.Tool" || named.toolType.case === "pythonFunction") return named;
  if (named.toolType.value?.name === "") named.toolType.value.name = displayName;
  return named;
}

/**
 * Clears the name of an OpenAPI tool again when the manifest had none and its only operation has that id, so that the tool is
 * exported as it was imported. `complete` is the resource with its schema, `message` the manifest's.
 */
export function withoutDerivedName(complete: PackagedResource, message: PackagedResource): PackagedResource {
  if (!isTool(complete) || !isTool(message)) return complete;
  if (complete.toolType.case !== "openApiTool" || message.toolType.value?.name !== "") return complete;
  const { name, openApiSchema } = complete.toolType.value;
  const operation = new RegExp(`\\boperationId["']?\\s*:\\s*["']?${RegExp.escape(name)}["']?\\s*[,}\\r\\n]`);
  if (operation.test(`${openApiSchema}\n`)) complete.toolType.value.name = "";
  return complete;
}

function isTool(message: PackagedResource): message is Tool {
  return message.$typeName === "google.cloud.ces.v1beta.Tool";
}

/** The display names in a manifest that could not be converted. */
export function displayNamesIn(json: JsonObject, folder: string): DisplayNames {
  const { displayName = json.display_name } = json;
  return typeof displayName === "string" && displayName !== "" ? [displayName, folder] : [folder];
}

/** The display names in a manifest that cannot be parsed: the first that looks like one, and the folder's. */
export function displayNamesInText(bytes: Uint8Array | undefined, folder: string): DisplayNames {
  const text = (bytes && decodeText(bytes)) ?? "";
  const displayName = /^[ \t{,]*["']?display_?[nN]ame["']?[ \t]*:?[ \t]*["']?([^"'\r\n,}]+)/m.exec(text)?.[1]?.trim();
  return displayName ? [displayName, folder] : [folder];
}
