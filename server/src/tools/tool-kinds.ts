import type { Tool } from "@frontdesk/protos/ces/tool";
import { agentTool } from "./agent-tool.ts";
import { clientFunction } from "./client-function.ts";
import { connectorTool } from "./connector/connector-tool.ts";
import { mcpTool } from "./mcp/mcp-tool.ts";
import { openApiTool } from "./open-api/open-api-tool.ts";
import { pythonFunction } from "./python/python-function.ts";
import { remoteAgentTool } from "./remote-agent/remote-agent-tool.ts";
import { dataStoreTool } from "./search/data-store-tool.ts";
import { fileSearchTool } from "./search/file-search-tool.ts";
import { googleSearchTool } from "./search/google-search-tool.ts";
import { systemTool } from "./system-tool.ts";
import type { ToolCase, ToolDefinition, ToolKind } from "./tool-kind.ts";
import { widgetTool } from "./widget-tool.ts";

/** All tool kinds by the case of `Tool.tool_type`; a missing one is a compile error. */
export const TOOL_KINDS = {
  clientFunction,
  pythonFunction,
  systemTool,
  openApiTool,
  googleSearchTool,
  connectorTool,
  dataStoreTool,
  mcpTool,
  fileSearchTool,
  agentTool,
  widgetTool,
  remoteAgentTool,
} satisfies { readonly [Case in ToolCase]: ToolKind<Case> };

/** The kind of a tool. The table pairs each case with its message type, which the casts of these two functions restate. */
export function toolKindOf(tool: Tool): ToolKind<ToolCase> | undefined {
  return tool.toolType.case && (TOOL_KINDS[tool.toolType.case] as unknown as ToolKind<ToolCase>);
}

/** The message of a tool's case. */
export function toolDefinitionOf(tool: Tool): ToolDefinition<ToolCase> {
  return tool.toolType.value as ToolDefinition<ToolCase>;
}
