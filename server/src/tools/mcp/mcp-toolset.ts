import { create, equals } from "@bufbuild/protobuf";
import { McpTool_State, McpToolSchema } from "@frontdesk/protos/ces/mcp_tool";
import {
  type McpToolDefinition,
  McpToolDefinitionSchema,
  type McpToolOverride,
  type McpToolset,
} from "@frontdesk/protos/ces/mcp_toolset";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { definedFields, nonEmptyFields } from "#base";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { ToolsetContext } from "../contract.ts";
import type { DiscoveredTool, KindDeps, ToolsetKind } from "../tool-kind.ts";
import { customHeaders, headerProblems } from "./custom-headers.ts";
import { listMcpTools } from "./list-tools.ts";
import { McpError } from "./mcp-connections.ts";
import type { OfferedTool } from "./mcp-tool-lists.ts";
import { pinSnapshots } from "./pin-snapshots.ts";

/** How long a server's tool list is cached, milliseconds. */
const FRESH_MS = 60_000;

/**
 * The tools of an MCP server. `tool_overrides` rename and describe them. A tool whose override has a snapshot is pinned: it stays as in
 * the snapshot (`STALE` when the server lists it differently, `INACTIVE` when the server no longer lists it), and it remains available
 * while the server is unreachable (mcp_toolset.proto). Without pins, a toolset whose server does not respond cannot be listed.
 */
export const mcpToolset: ToolsetKind<"mcpToolset"> = {
  local: false,
  freshMs: FRESH_MS,
  audience: audienceOf,
  open: async (definition, toolset, deps, context) => {
    const overrides = context.bypass ? [] : definition.toolOverrides;
    const offered = await offeredTools(definition, toolset, deps, context);
    if (offered === "unreachable") return pinnedTools(definition, overrides);
    const listed = offered.map((tool) => {
      const found = listedTool(definition, tool, overrideFor(tool.name, overrides));
      if (tool.listed && found.toolType.case === "mcpTool") deps.mcp.lists.setListed(found.toolType.value, tool.listed);
      return found;
    });
    const names = new Set(offered.map(({ name }) => name));
    return [...listed, ...inactiveTools(definition, overrides, names)];
  },
  refreshSnapshots: pinSnapshots,
  problems: (definition, { name }, { mcp }) => {
    const { serverAddress, customHeaders: headers, toolOverrides } = definition;
    return [
      ...addressProblems(serverAddress),
      ...authenticationProblems(definition),
      ...headerProblems(headers),
      ...overrideProblems(toolOverrides),
      ...mcp.lists.problems(name, serverAddress),
    ];
  },
};

/** A server may list different tools for different headers. */
function audienceOf({ customHeaders: headers }: McpToolset, { variables }: ToolsetContext): string {
  return JSON.stringify(Object.entries(customHeaders(headers, variables).headers).sort());
}

/** The server's tools, or its last list when it does not respond. "unreachable" = only pinned tools are known. */
async function offeredTools(
  definition: McpToolset,
  toolset: Pick<Toolset, "name" | "displayName">,
  deps: KindDeps,
  context: ToolsetContext,
): Promise<readonly OfferedTool[] | "unreachable"> {
  const name = toolset.displayName || toolset.name;
  const problem = addressProblems(definition.serverAddress)[0];
  if (problem) throw listingFailed(name, problem);
  const audience = audienceOf(definition, context);
  const { lists } = deps.mcp;
  try {
    const suppressed = context.bypass ? undefined : lists.suppressed(definition, audience);
    if (suppressed !== undefined) throw new McpError(suppressed);
    const offered = await listMcpTools(definition, { ...context, toolset: toolset.name }, deps);
    lists.store(definition, audience, offered);
    return offered;
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    if (context.bypass) throw listingFailed(name, error.message);
    lists.suppress(definition, audience, error.message);
    const stored = lists.stored(definition, audience);
    if (stored) return stored;
    if (definition.toolOverrides.some(({ snapshot }) => snapshot)) return "unreachable";
    throw listingFailed(name, error.message);
  }
}

function listingFailed(name: string, why: string): Error {
  return failedPrecondition(`The tools of MCP toolset '${name}' cannot be listed: ${why}.`, {
    reason: "MCP_SERVER_UNAVAILABLE",
    metadata: { toolset: name },
  });
}

function overrideFor(name: string, overrides: readonly McpToolOverride[]): McpToolOverride | undefined {
  return overrides.find(({ tool }) => tool === name);
}

function listedTool(
  definition: McpToolset,
  offered: OfferedTool,
  override: McpToolOverride | undefined,
): DiscoveredTool {
  const { name, listed: _listed, ...current } = offered;
  const snapshot = override?.snapshot;
  const state = snapshot && differs(snapshot, current) ? McpTool_State.STALE : McpTool_State.ACTIVE;
  return toDiscoveredTool(definition, name, snapshot ?? current, state, override);
}

/** The pinned tools of an unreachable server, in an unspecified state. */
function pinnedTools(definition: McpToolset, overrides: readonly McpToolOverride[]): readonly DiscoveredTool[] {
  return overrides.flatMap((override) =>
    override.snapshot
      ? [toDiscoveredTool(definition, override.tool, override.snapshot, McpTool_State.STATE_UNSPECIFIED, override)]
      : [],
  );
}

function inactiveTools(
  definition: McpToolset,
  overrides: readonly McpToolOverride[],
  offered: ReadonlySet<string>,
): readonly DiscoveredTool[] {
  return overrides
    .filter(({ tool }) => !offered.has(tool))
    .map((override) =>
      toDiscoveredTool(
        definition,
        override.tool,
        override.snapshot ?? create(McpToolDefinitionSchema),
        McpTool_State.INACTIVE,
        override,
      ),
    );
}

type Described = Pick<McpToolDefinition, "description" | "inputSchema" | "outputSchema">;

function differs(snapshot: McpToolDefinition, current: Described): boolean {
  return !equals(McpToolDefinitionSchema, snapshot, create(McpToolDefinitionSchema, current));
}

function toDiscoveredTool(
  definition: McpToolset,
  name: string,
  { description, inputSchema, outputSchema }: Described,
  state: McpTool_State,
  override: McpToolOverride | undefined,
): DiscoveredTool {
  const { serverAddress, apiAuthentication, tlsConfig, serviceDirectoryConfig, customHeaders: headers } = definition;
  const nameOverride = override?.nameOverride ?? "";
  return {
    toolId: name,
    ...nonEmptyFields({ nameOverride }),
    ...(state === McpTool_State.INACTIVE && { hidden: true }),
    toolType: {
      case: "mcpTool",
      value: create(McpToolSchema, {
        name,
        nameOverride,
        description: override?.descriptionOverride || description,
        ...definedFields({ inputSchema, outputSchema }),
        serverAddress,
        ...definedFields({ apiAuthentication, tlsConfig, serviceDirectoryConfig }),
        customHeaders: headers,
        state,
      }),
    },
  };
}

function addressProblems(address: string): readonly string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return [];
  return [`server_address: '${address}' is not an http or https URL`];
}

function overrideProblems(overrides: readonly McpToolOverride[]): readonly string[] {
  const names = overrides.map(({ tool }) => tool);
  const twice = [...new Set(names.filter((name, position) => names.indexOf(name) !== position))];
  return twice.map((name) => `tool_overrides: '${name}' occurs twice; the first one counts`);
}
