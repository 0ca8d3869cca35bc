import { create } from "@bufbuild/protobuf";
import { OpenApiToolSchema } from "@frontdesk/protos/ces/open_api_tool";
import type { OpenApiToolset } from "@frontdesk/protos/ces/open_api_toolset";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { DiscoveredTool, ToolsetKind } from "../tool-kind.ts";
import { documentProblems, operationProblems } from "./document-problems.ts";
import type { ListedOperation } from "./documents.ts";
import { presetOperation } from "./open-api-tool.ts";

/** Every operation of an OpenAPI document that has an id; the id is the tool's. Of two with one id the first counts. */
export const openApiToolset: ToolsetKind<"openApiToolset"> = {
  local: true,
  open: async (definition, { name, displayName }, { documents }) => {
    const document = await documents.read(definition);
    if (document.kind === "unreadable") {
      throw failedPrecondition(`Toolset '${displayName || name}' cannot be opened: ${document.problem}.`, {
        reason: "OPENAPI_SCHEMA_UNUSABLE",
        metadata: { toolset: name },
      });
    }
    const slice = createDocumentSlices(document.root, definition.openApiSchema);
    const byId = new Map(document.operations.toReversed().map((operation) => [operation.id, operation]));
    return document.operations
      .filter((operation) => operation.id !== "" && byId.get(operation.id) === operation)
      .map((operation) => toTool(operation, definition, slice(operation)));
  },
  knownToolIds: async (definition, { documents }) => {
    const document = await documents.read(definition);
    return document.kind === "document" ? document.operations.map(({ id }) => id).filter((id) => id !== "") : undefined;
  },
  problems: async (definition, _toolset, { documents }) => {
    const document = await documents.read(definition);
    if (document.kind === "unreadable")
      return [`open_api_schema: ${document.problem}`, ...authenticationProblems(definition)];
    return [
      ...operationProblems(document.operations),
      ...(await documentProblems(document, definition.url)),
      ...authenticationProblems(definition),
    ];
  },
};

function toTool(operation: ListedOperation, definition: OpenApiToolset, openApiSchema: string): DiscoveredTool {
  const { apiAuthentication, tlsConfig, serviceDirectoryConfig, ignoreUnknownFields, url } = definition;
  const value = create(OpenApiToolSchema, {
    openApiSchema,
    name: operation.id,
    description: operation.description,
    ...(apiAuthentication && { apiAuthentication }),
    ...(tlsConfig && { tlsConfig }),
    ...(serviceDirectoryConfig && { serviceDirectoryConfig }),
    ignoreUnknownFields,
    url,
  });
  presetOperation(value, operation.read);
  return { toolId: operation.id, toolType: { case: "openApiTool", value } };
}

/** Nodes of one slice; an operation that reaches more gets the whole document. */
const MOST_NODES = 5_000;
/** Nodes walked for all slices of a document together. */
const MOST_NODES_OF_ALL = 300_000;
/** Characters of all slices of a document together. */
const MOST_TEXT = 8 * 1024 * 1024;

/**
 * Documents that hold one operation each, with what it refers to: the schema of a single tool. Where a slice would be nearly the
 * whole, it is the whole text, which all such operations share.
 */
export function createDocumentSlices(root: JsonObject, text: string): (operation: ListedOperation) => string {
  let left = MOST_TEXT;
  const walk = { left: MOST_NODES_OF_ALL };
  return ({ method, path }) => {
    const paths = isJsonObject(root.paths) ? root.paths : {};
    const item = paths[path];
    if (left <= 0 || walk.left <= 0 || !isJsonObject(item) || typeof item.$ref === "string") return text;
    const { get, put, post, delete: remove, options, head, patch, trace, ...shared } = item;
    const operation = item[method];
    const own = { ...shared, ...(operation !== undefined && { [method]: operation }) };
    const components = reachable(root, [own], walk);
    if (!components) return text;
    const { openapi, info, servers } = root;
    const slice = JSON.stringify({ openapi, info, servers, paths: { [path]: own }, ...withSecurity(root, components) });
    left -= slice.length;
    return slice;
  };
}

/** The components that values refer to, directly or not; undefined when there are too many, or elsewhere than in components. */
function reachable(
  root: JsonObject,
  start: readonly JsonValue[],
  walk: { left: number },
): { readonly components?: JsonObject } | undefined {
  const components: Record<string, Record<string, JsonValue>> = {};
  const open: JsonValue[] = [...start];
  let nodes = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    walk.left -= 1;
    if (++nodes > MOST_NODES) return undefined;
    if (!Array.isArray(value) && typeof value.$ref === "string") {
      const [, kind, name] = /^#\/components\/([^/]+)\/([^/~%]+)$/.exec(value.$ref) ?? [];
      const target = kind === undefined || name === undefined ? undefined : componentOf(root, kind, name);
      if (kind === undefined || name === undefined || target === undefined) return undefined;
      const known = components[kind] ?? {};
      if (!Object.hasOwn(known, name)) open.push(target);
      known[name] = target;
      components[kind] = known;
    }
    for (const child of Object.values(value)) if (child !== undefined) open.push(child);
  }
  return Object.keys(components).length > 0 ? { components } : {};
}

/** Operations name the ways to authenticate instead of referring to them. */
function withSecurity({ components }: JsonObject, reached: { readonly components?: JsonObject }) {
  const schemes = isJsonObject(components) ? components.securitySchemes : undefined;
  return schemes === undefined ? reached : { components: { ...reached.components, securitySchemes: schemes } };
}

function componentOf({ components }: JsonObject, kind: string, name: string): JsonValue | undefined {
  const kinds = isJsonObject(components) && Object.hasOwn(components, kind) ? components[kind] : undefined;
  return isJsonObject(kinds) && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}
