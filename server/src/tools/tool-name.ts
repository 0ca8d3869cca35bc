import type { Tool } from "@frontdesk/protos/ces/tool";

/**
 * The function name of a tool for models and user code: its display name (output only, derived by the resource layer), else the name
 * in its definition, else the last segment of its resource name. Any characters are allowed (TOOL-2).
 */
export function toolName(tool: Tool): string {
  return tool.displayName || definitionName(tool) || tool.name.slice(tool.name.lastIndexOf("/") + 1);
}

/** The app in a tool's resource name; a tool of a toolset is named below its toolset. */
export function appOfTool({ name }: Tool): string {
  return name.replace(/\/(tools|toolsets)\/.*$/, "");
}

function definitionName({ toolType }: Tool): string {
  return toolType.value !== undefined && "name" in toolType.value ? toolType.value.name : "";
}
