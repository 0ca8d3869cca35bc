import { agentTool } from "./agent-tool.ts";
import { clientFunction } from "./client-function.ts";
import { notSupportedYet } from "./not-supported.ts";
import { pythonFunction } from "./python-function.ts";
import { systemTool } from "./system-tool.ts";
import type { ToolCase, ToolKind } from "./tool-kind.ts";
import { widgetTool } from "./widget-tool.ts";

/** Every kind of tool there is; the compiler notices a missing one. */
export const TOOL_KINDS = {
  clientFunction,
  pythonFunction,
  systemTool,
  openApiTool: notSupportedYet<"openApiTool">("OpenAPI"),
  googleSearchTool: notSupportedYet<"googleSearchTool">("Google search"),
  connectorTool: notSupportedYet<"connectorTool">("Connector"),
  dataStoreTool: notSupportedYet<"dataStoreTool">("Data store"),
  mcpTool: notSupportedYet<"mcpTool">("MCP"),
  fileSearchTool: notSupportedYet<"fileSearchTool">("File search"),
  agentTool,
  widgetTool,
  remoteAgentTool: notSupportedYet<"remoteAgentTool">("Remote agent"),
} satisfies { readonly [Case in ToolCase]: ToolKind<Case> };
