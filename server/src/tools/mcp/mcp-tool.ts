import { McpTool_State } from "@frontdesk/protos/ces/mcp_tool";
import type { JsonObject } from "#base";
import { failedPrecondition } from "#status";
import { failed, NO_CHANGE, noticeLines } from "../outcomes.ts";
import { toJsonSchema } from "../schema/json-schema.ts";
import { portableSchema } from "../schema/portable-schema.ts";
import type { ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { toolName } from "../tool-name.ts";
import { McpError } from "./mcp-connections.ts";
import { protocolErrorData } from "./mcp-errors.ts";
import { routeTo } from "./mcp-route.ts";
import { readToolResult } from "./tool-result.ts";

/**
 * A tool of an MCP server. It is declared as the server lists it, or as its toolset overrides and pins it. The function response is
 * `{"output": …}`; every error begins with `Calling MCP tool 'x' failed` (TOOL-38).
 */
export const mcpTool: ToolKind<"mcpTool"> = {
  runs: "server",
  declare: async ({ name, description, inputSchema, outputSchema, state }, tool) => {
    if (state === McpTool_State.INACTIVE) throw noLongerOffered(name, tool.name);
    return {
      name: toolName(tool),
      description,
      parameters: portableSchema(inputSchema ? toJsonSchema(inputSchema) : {}),
      ...(outputSchema && {
        response: { type: "object", properties: { output: portableSchema(toJsonSchema(outputSchema)) } },
      }),
    };
  },
  execute: async (definition, tool, { args }, context, { mcp, outbound, logger }) => {
    const startedAt = performance.now();
    const timeoutMs = toolLimits(tool).wallMs;
    const { app, python, settings, signal } = context;
    const caller = { app, variables: python.state, settings, conversation: python.sessionId };
    const { target, missingHeaders } = routeTo(definition, caller, "execute", timeoutMs, outbound);
    if (missingHeaders.length > 0)
      logger.warn({ tool: tool.name, missingHeaders }, "headers of an MCP call are missing");
    const output = noticeLines(...missingHeaders, outbound.missingGoogleToken(definition.serverAddress, definition));
    const record = () => ({ durationMs: performance.now() - startedAt, output, state: NO_CHANGE });
    const failure = (why: string, more?: JsonObject) =>
      failed(`Calling MCP tool '${definition.name}' failed: ${why}`, record(), more);
    try {
      const work = { timeoutMs, signal };
      const listed = mcp.lists.listed(definition);
      const result = await mcp.connections.use(target, work, (client) =>
        client.callTool(definition.name, args, work, listed),
      );
      const read = readToolResult(result);
      return read.kind === "failed"
        ? failure(read.error, read.more)
        : { kind: "answered", response: read.response, ...record() };
    } catch (error) {
      if (error instanceof McpError) {
        const data = protocolErrorData(error.cause) ?? null;
        return failure(error.message, data === null ? {} : { output: data });
      }
      throw error;
    }
  },
};

function noLongerOffered(name: string, tool: string): Error {
  return failedPrecondition(`The MCP server no longer offers the tool '${name}'.`, {
    reason: "MCP_TOOL_INACTIVE",
    metadata: { tool },
  });
}
