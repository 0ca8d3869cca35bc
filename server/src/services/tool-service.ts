import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Tool } from "@frontdesk/protos/ces/tool";
import {
  type ExecuteToolResponseSchema,
  type RetrieveToolSchemaResponseSchema,
  ToolService,
} from "@frontdesk/protos/ces/tool_service";
import { ToolService as ToolServiceV1 } from "@frontdesk/protos/ces-v1/tool_service";
import type { AppSnapshots } from "#resources";
import { defineService, type ServiceRegistration } from "#rpc";
import { fromJsonSchema } from "#tools";
import { type ExecuteToolDeps, executeTool } from "./execute-tool.ts";
import { appOfToolset, refuseToolset, requestedTool } from "./requested-tool.ts";

export interface ToolServiceDeps extends ExecuteToolDeps {
  readonly snapshots: Pick<AppSnapshots, "draft">;
}

/** Direct execution and schemas of tools, as `google.cloud.ces.v1beta.ToolService`. Always on the draft of the app. */
export function createToolService({ snapshots, ...deps }: ToolServiceDeps): ServiceRegistration {
  const draft = async (app: string): Promise<AppSnapshot> => (await snapshots.draft(app)).snapshot;
  return defineService(ToolService, [ToolServiceV1], {
    executeTool: async (request, call): Promise<MessageInitShape<typeof ExecuteToolResponseSchema>> => {
      const snapshot = await draft(request.parent);
      const tool = requestedTool(request, snapshot);
      return { ...identifierOf(tool), ...(await executeTool(request, tool, snapshot, call, deps)) };
    },
    retrieveToolSchema: async (request): Promise<MessageInitShape<typeof RetrieveToolSchemaResponseSchema>> => {
      const tool = requestedTool(request, await draft(request.parent));
      const { parameters, response } = await deps.tools.declare(tool);
      return {
        ...identifierOf(tool),
        inputSchema: fromJsonSchema(parameters),
        ...(response && { outputSchema: fromJsonSchema(response) }),
      };
    },
    retrieveTools: async ({ toolset }) => {
      throw refuseToolset(toolset, await draft(appOfToolset(toolset)));
    },
  });
}

function identifierOf({ name }: Tool) {
  return { toolIdentifier: { case: "tool" as const, value: name } };
}
