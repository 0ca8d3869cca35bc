import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "#base";
import type { KindDeps } from "../tool-kind.ts";
import { importSchema } from "./import-schema.ts";
import { McpError } from "./mcp-connections.ts";
import { isUnauthorized } from "./mcp-errors.ts";
import { type McpCaller, type McpEndpoint, routeTo } from "./mcp-route.ts";
import type { OfferedTool } from "./mcp-tool-lists.ts";

/** Default timeout for listing a server's tools, milliseconds. */
const LIST_TIMEOUT_MS = 10_000;
/** Limit of tools of one server. */
const MAX_TOOLS = 1_000;
/** Longest description, characters. */
const MAX_DESCRIPTION = 10_000;
const NAME = /^[\w./-]{1,128}$/;

/** Left-out tools that an author reads of; the rest is counted. */
const MAX_NAMED = 10;

/**
 * Lists a server's tools (`tools/list`). A tool that cannot be used (invalid name, schema beyond the limits, duplicate) is left out, with
 * a line in the log and one for the author of `toolset` (TOOL-54), and does not affect the others. Rejects with `McpError`.
 */
export async function listMcpTools(
  endpoint: McpEndpoint,
  caller: McpCaller & { readonly toolset: string; readonly signal: AbortSignal },
  { mcp, outbound, logger }: Pick<KindDeps, "mcp" | "outbound" | "logger">,
  timeoutMs = LIST_TIMEOUT_MS,
): Promise<readonly OfferedTool[]> {
  const { target } = routeTo(endpoint, caller, "list", timeoutMs, outbound);
  const limits = { timeoutMs, signal: caller.signal };
  const listed = await mcp.connections
    .use(target, limits, (client) => client.listTools(limits))
    .catch((error: unknown) => {
      throw withAdvice(error, endpoint);
    });
  const offered: OfferedTool[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  for (const tool of listed.slice(0, MAX_TOOLS)) {
    const name = tool.name.slice(0, 128);
    const result = names.has(tool.name) ? "the server lists it twice" : readTool(tool);
    names.add(tool.name);
    if (typeof result !== "string") {
      offered.push(result);
      continue;
    }
    logger.warn({ server: endpoint.serverAddress, tool: name, reason: result }, "an MCP tool was left out");
    problems.push(`the server's tool '${name}' is not offered: ${result}`);
  }
  if (problems.length > MAX_NAMED)
    problems.splice(
      MAX_NAMED,
      problems.length,
      `${problems.length - MAX_NAMED} more of the server's tools are not offered`,
    );
  if (listed.length > MAX_TOOLS) {
    const problem = `the server's tools after the first ${MAX_TOOLS} are not offered`;
    logger.warn({ server: endpoint.serverAddress, tools: listed.length }, problem);
    problems.push(problem);
  }
  mcp.lists.noteProblems(caller.toolset, endpoint.serverAddress, problems);
  return offered;
}

/** A caller's token would not be everybody's, so no list is asked for with it (TSET-4); its author looks for the cause elsewhere (TOOL-55). */
function withAdvice(error: unknown, { apiAuthentication }: McpEndpoint): unknown {
  if (apiAuthentication?.authConfig.case !== "bearerTokenConfig") return error;
  if (!(error instanceof McpError) || !isUnauthorized(error.cause)) return error;
  const why =
    "tools are listed without the token of bearer_token_config; a server that wants credentials for that needs another api_authentication";
  return new McpError(`${error.message} (${why})`, { cause: error.cause });
}

/** The tool, or why it is left out. */
function readTool(tool: ListedTool): OfferedTool | string {
  const { name, title, description, inputSchema, outputSchema, execution } = tool;
  if (!NAME.test(name)) return "its name is not one of 1 to 128 letters, digits, '_', '-', '.' and '/'";
  if (execution?.taskSupport === "required")
    return "the server runs it as a task only, which this client does not do (MCP-12)";
  // The server's response was parsed from JSON.
  const input = importSchema(inputSchema as JsonObject);
  if (input.kind === "rejected") return input.reason;
  const output = isJsonObject(outputSchema) ? importSchema(outputSchema) : undefined;
  return {
    name,
    description: (description ?? title ?? "").slice(0, MAX_DESCRIPTION),
    inputSchema: input.schema,
    // The tool also works without an output schema, so an unusable one is dropped.
    outputSchema: output?.kind === "schema" ? output.schema : undefined,
    ...(JSON.stringify(inputSchema).includes('"x-mcp-header"') && { listed: tool }),
  };
}
