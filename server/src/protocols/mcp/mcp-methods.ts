import { isJsonObject, type JsonObject } from "#base";
import type { CallContext, Registry } from "#rpc";
import { createCallTool } from "./call-tool.ts";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";

/** Protocol revisions with an `initialize` handshake that this server speaks, the newest first. It keeps no session for any. */
export const PROTOCOL_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** Answers one MCP request. Throws `JsonRpcError` for what the protocol itself refuses. */
export type McpMethods = (method: string, params: JsonObject, context: CallContext) => Promise<JsonObject>;

/** The methods of MCP over a registry. `version` is the product's. */
export function createMcpMethods(registry: Registry, version: string): McpMethods {
  const callTool = createCallTool(registry);
  let made: ToolCatalog | undefined;
  // Made on first use: the schemas are not worth the start of a server that nobody asks for them.
  const catalog = (): ToolCatalog => {
    made ??= createToolCatalog(registry);
    return made;
  };
  return async (method, params, context) => {
    switch (method) {
      case "initialize":
        return initialize(params, version);
      case "ping":
        return {};
      case "tools/list":
        return { tools: [...catalog().values()].map((tool) => tool.listing) };
      case "tools/call": {
        const tool = typeof params.name === "string" ? catalog().get(params.name) : undefined;
        if (!tool)
          throw new JsonRpcError(
            JsonRpcCode.invalidParams,
            `Unknown tool: ${JSON.stringify(params.name ?? null)}. tools/list names the ones there are.`,
          );
        return callTool(tool, params.arguments ?? {}, context);
      }
      default:
        throw new JsonRpcError(JsonRpcCode.methodNotFound, `Method not found: ${method}`);
    }
  };
}

function initialize({ protocolVersion, capabilities }: JsonObject, version: string): JsonObject {
  if (capabilities !== undefined && !isJsonObject(capabilities))
    throw new JsonRpcError(JsonRpcCode.invalidParams, "capabilities must be an object.");
  const spoken = PROTOCOL_VERSIONS.find((candidate) => candidate === protocolVersion) ?? PROTOCOL_VERSIONS[0] ?? "";
  return {
    protocolVersion: spoken,
    capabilities: { tools: {} },
    serverInfo: { name: "frontdesk", title: "Frontdesk", version },
  };
}
