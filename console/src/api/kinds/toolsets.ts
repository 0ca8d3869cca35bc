import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Toolsets of an app. */
export const toolsets: ResourceKind<Toolset> = {
  collection: "toolsets",
  singular: "toolset",
  field: "toolset",
  schema: ToolsetSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listToolsets({ parent, pageSize: 1000, pageToken });
      return { items: page.toolsets, next: page.nextPageToken };
    }),
  get: (name) => agentService.getToolset({ name }),
  create: (parent, toolset) => agentService.createToolset({ parent, toolset }),
  update: (toolset, paths) => agentService.updateToolset({ toolset, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteToolset({ name, etag, force });
  },
};
