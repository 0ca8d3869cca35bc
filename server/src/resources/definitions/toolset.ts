import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { defineResource } from "../define-resource.ts";

/** Toolsets: tools that another system describes. */
export const toolsets = defineResource(ToolsetSchema, "app", {
  uniqueDisplayName: true,
  deriveOwn: (toolset, { tools }) => tools.refreshSnapshots(toolset),
  validate: ({ toolsetType }) =>
    toolsetType.case === undefined
      ? [
          {
            field: "toolset_type",
            description: "A toolset needs a type: mcp_toolset, open_api_toolset or connector_toolset.",
          },
        ]
      : [],
});
