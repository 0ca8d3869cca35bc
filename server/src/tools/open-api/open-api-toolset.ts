import { create } from "@bufbuild/protobuf";
import { OpenApiToolSchema } from "@frontdesk/protos/ces/open_api_tool";
import type { OpenApiToolset } from "@frontdesk/protos/ces/open_api_toolset";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, mapWithPauses } from "#base";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { DiscoveredTool, ToolsetKind } from "../tool-kind.ts";
import { documentProblems, operationProblems } from "./document-problems.ts";
import type { ListedOperation } from "./documents.ts";
import { presetOperation } from "./open-api-tool.ts";

/** One tool for each operation of an OpenAPI document that has an operationId, which is the tool id. Of duplicates the first counts. */
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
    const offered = document.operations.filter(
      (operation) => operation.id !== "" && byId.get(operation.id) === operation,
    );
    return mapWithPauses(offered, (operation) => toTool(operation, definition, slice(operation)));
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
    ...definedFields({ apiAuthentication, tlsConfig, serviceDirectoryConfig }),
    ignoreUnknownFields,
    url,
  });
  presetOperation(value, operation.read);
  return { toolId: operation.id, toolType: { case: "openApiTool", value } };
}

/** Limit of nodes in one slice; an operation that reaches more gets the whole document. */
const MAX_NODES = 5_000;
/** Limit of nodes visited for all slices of a document. */
const MAX_NODES_OF_DOCUMENT = 300_000;
/** Limit of characters in all slices of a document. */
const MAX_TEXT = 8 * 1024 * 1024;

/**
 * Cuts a document into slices with one operation and its referenced components each: the schema of a single tool. Where a limit is
 * reached, the slice is the text of the whole document, which is shared.
 */
function createDocumentSlices(root: JsonObject, text: string): (operation: ListedOperation) => string {
  let left = MAX_TEXT;
  const walk = { left: MAX_NODES_OF_DOCUMENT };
  return ({ method, path }) => {
    const paths = isJsonObject(root.paths) ? root.paths : {};
    const item = paths[path];
    if (left <= 0 || walk.left <= 0 || !isJsonObject(item) || typeof item.$ref === "string") return text;
    const { get, put, post, delete: remove, options, head, patch, trace, ...shared } = item;
    const operation = item[method];
    const own: JsonObject = operation === undefined ? shared : { ...shared, [method]: operation };
    const components = reachable(root, [own], walk);
    if (!components) return text;
    const { openapi, info, servers } = root;
    const slice = JSON.stringify({ openapi, info, servers, paths: { [path]: own }, ...withSecurity(root, components) });
    left -= slice.length;
    return slice;
  };
}

/** The components that values reference, directly or indirectly; undefined beyond the limit and for references to other places. */
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
    if (++nodes > MAX_NODES) return undefined;
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

/** Adds the security schemes: operations name them without a `$ref`. */
function withSecurity({ components }: JsonObject, reached: { readonly components?: JsonObject }) {
  const schemes = isJsonObject(components) ? components.securitySchemes : undefined;
  return schemes === undefined ? reached : { components: { ...reached.components, securitySchemes: schemes } };
}

function componentOf({ components }: JsonObject, kind: string, name: string): JsonValue | undefined {
  const kinds = isJsonObject(components) && Object.hasOwn(components, kind) ? components[kind] : undefined;
  return isJsonObject(kinds) && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}
