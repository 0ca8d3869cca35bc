import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import {
  type ExecuteToolResponseSchema,
  type RetrieveToolSchemaResponseSchema,
  ToolService,
} from "@frontdesk/protos/ces/tool_service";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { ToolService as ToolServiceV1 } from "@frontdesk/protos/ces-v1/tool_service";
import type { JsonObject } from "#base";
import type { AppSnapshots } from "#resources";
import { defineService, type ServiceRegistration } from "#rpc";
import { variableDefaults } from "#session";
import { fromJsonSchema } from "#tools";
import { type ExecuteToolDeps, executeTool, requestVariables } from "./execute-tool.ts";
import { appOfToolset, findToolset, membersOf, requestedTool } from "./requested-tool.ts";

interface ToolServiceDeps extends ExecuteToolDeps {
  readonly snapshots: Pick<AppSnapshots, "draft">;
}

/** Direct execution and schemas of tools: `google.cloud.ces.v1beta.ToolService`. Always on the draft of the app. */
export function createToolService({ snapshots, ...deps }: ToolServiceDeps): ServiceRegistration {
  const draft = async (app: string): Promise<AppSnapshot> => (await snapshots.draft(app)).snapshot;
  const opener = (app: string, snapshot: AppSnapshot, signal: AbortSignal, variables: JsonObject, bypass = false) => {
    const defaults = snapshot.app ? variableDefaults(snapshot.app) : {};
    const context = { app, variables: { ...defaults, ...variables }, settings: snapshot.app, bypass, signal };
    return (toolset: Toolset) => deps.tools.open(toolset, context);
  };
  return defineService(ToolService, [ToolServiceV1], {
    executeTool: async (request, call): Promise<MessageInitShape<typeof ExecuteToolResponseSchema>> => {
      const ref = { ...(await snapshots.draft(request.parent)), appVersion: "", deployment: "" };
      const open = opener(request.parent, ref.snapshot, call.signal, requestVariables(request));
      const { tool, toolIdentifier } = await requestedTool(request, ref.snapshot, open);
      return { toolIdentifier, ...(await executeTool(request, tool, ref, call, deps)) };
    },
    retrieveToolSchema: async (
      request,
      { signal },
    ): Promise<MessageInitShape<typeof RetrieveToolSchemaResponseSchema>> => {
      const snapshot = await draft(request.parent);
      const open = opener(request.parent, snapshot, signal, {});
      const { tool, toolIdentifier } = await requestedTool(request, snapshot, open);
      const { parameters, response } = await deps.tools.declare(tool);
      return {
        toolIdentifier,
        inputSchema: fromJsonSchema(parameters),
        ...(response && { outputSchema: fromJsonSchema(response) }),
      };
    },
    retrieveTools: async ({ toolset, toolIds, bypassPersistenceConfig }, { signal }) => {
      const app = appOfToolset(toolset);
      const snapshot = await draft(app);
      const open = opener(app, snapshot, signal, {}, bypassPersistenceConfig);
      const members = await open(findToolset(toolset, snapshot));
      return { tools: membersOf(toolset, members, toolIds).map(({ tool }) => tool) };
    },
  });
}
