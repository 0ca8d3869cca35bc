import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Tools of an app. */
export const tools: ResourceKind<Tool> = {
  collection: "tools",
  singular: "tool",
  field: "tool",
  schema: ToolSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listTools({ parent, pageSize: 1000, pageToken });
      return { items: page.tools, next: page.nextPageToken };
    }),
  get: (name) => agentService.getTool({ name }),
  create: (parent, tool) => agentService.createTool({ parent, tool }),
  update: (tool, paths) => agentService.updateTool({ tool, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteTool({ name, etag, force });
  },
};
