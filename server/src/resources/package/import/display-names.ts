import { clone, type DescMessage } from "@bufbuild/protobuf";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import type { Findings } from "../findings.ts";
import type { PackagedResource } from "../kinds.ts";

/** What a package calls a resource: first the name it will have, then others that references may use. */
export type DisplayNames = readonly [string, ...string[]];

/**
 * The display names of a resource. A tool's is the name in its type, whatever the manifest says (Tool.display_name is
 * output only); where there is none, the folder's name has to do.
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
    `${path}: displayName: is '${displayName}', but a tool is called by the name in its type: '${name}'.`,
  );
  return [name, displayName];
}

/**
 * A copy of a resource under its display name. A tool whose type lets the name be left out gets it there, too: that is where
 * its display name comes from. A Python function keeps its choice, the first function of the file.
 */
export function withDisplayName(schema: DescMessage, message: PackagedResource, displayName: string): PackagedResource {
  const named = Object.assign(clone(schema, message) as PackagedResource, { displayName });
  if (named.$typeName !== "google.cloud.ces.v1beta.Tool" || named.toolType.case === "pythonFunction") return named;
  if (named.toolType.value?.name === "") named.toolType.value.name = displayName;
  return named;
}

/**
 * Takes the name back where an OpenAPI tool that left it out gets it from its one operation anyway, so that the tool is
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

/** The display names of a manifest that makes no resource, as far as it tells them. */
export function displayNamesIn(json: JsonObject, folder: string): DisplayNames {
  const { displayName = json.display_name } = json;
  return typeof displayName === "string" && displayName !== "" ? [displayName, folder] : [folder];
}
