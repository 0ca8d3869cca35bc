import { create } from "@bufbuild/protobuf";
import { OpenApiToolSchema } from "@frontdesk/protos/ces/open_api_tool";
import type { OpenApiToolset } from "@frontdesk/protos/ces/open_api_toolset";
import { failedPrecondition } from "#status";
import { routeProblems } from "../route-problems.ts";
import type { FoundTool, ToolsetKind } from "../toolset-kind.ts";
import { rememberOperation } from "./chosen-operation.ts";
import { documentProblems, operationProblems } from "./document-problems.ts";
import type { ListedOperation } from "./list-operations.ts";
import { createSlices } from "./slice-document.ts";

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
    const slice = createSlices(document.root, definition.openApiSchema);
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
    if (document.kind === "unreadable") return [`open_api_schema: ${document.problem}`, ...routeProblems(definition)];
    return [
      ...operationProblems(document.operations),
      ...(await documentProblems(document, definition.url)),
      ...routeProblems(definition),
    ];
  },
};

function toTool(operation: ListedOperation, definition: OpenApiToolset, openApiSchema: string): FoundTool {
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
  rememberOperation(value, operation.read);
  return { toolId: operation.id, toolType: { case: "openApiTool", value } };
}
