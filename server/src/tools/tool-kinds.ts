import { agentTool } from "./agent-tool.ts";
import { clientFunction } from "./client-function.ts";
import { connectorTool } from "./connector/connector-tool.ts";
import { mcpTool } from "./mcp/mcp-tool.ts";
import { openApiTool } from "./open-api/open-api-tool.ts";
import { pythonFunction } from "./python-function.ts";
import { remoteAgentTool } from "./remote-agent/remote-agent-tool.ts";
import { dataStoreTool } from "./search/data-store-tool.ts";
import { fileSearchTool } from "./search/file-search-tool.ts";
import { googleSearchTool } from "./search/google-search-tool.ts";
import { systemTool } from "./system-tool.ts";
import type { ToolCase, ToolKind } from "./tool-kind.ts";
import { widgetTool } from "./widget-tool.ts";

/** Every kind of tool there is; the compiler notices a missing one. */
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
