import { create } from "@bufbuild/protobuf";
import { OpenApiToolSchema } from "@frontdesk/protos/ces/open_api_tool";
import type { OpenApiToolset } from "@frontdesk/protos/ces/open_api_toolset";
import { definedFields, mapWithPauses } from "#base";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { DiscoveredTool, ToolsetKind } from "../tool-kind.ts";
import { documentProblems, operationProblems } from "./document-problems.ts";
import { createDocumentSlices } from "./document-slices.ts";
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
