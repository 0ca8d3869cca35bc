import { create, equals } from "@bufbuild/protobuf";
import { McpTool_State, McpToolSchema } from "@frontdesk/protos/ces/mcp_tool";
import {
  type McpToolDefinition,
  McpToolDefinitionSchema,
  type McpToolOverride,
  type McpToolset,
} from "@frontdesk/protos/ces/mcp_toolset";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { ToolsetContext } from "../contract.ts";
import type { DiscoveredTool, KindDeps, ToolsetKind } from "../tool-kind.ts";
import { customHeaders, headerProblems } from "./custom-headers.ts";
import { listMcpTools } from "./list-tools.ts";
import { McpError } from "./mcp-connections.ts";
import type { OfferedTool } from "./mcp-tool-lists.ts";
import { appOf, pinSnapshots } from "./pin-snapshots.ts";

/** How long a server's list is taken for true, milliseconds. */
const FRESH_MS = 60_000;

/**
 * The tools of an MCP server. `tool_overrides` rename and describe them; a tool whose override has a snapshot is pinned: it
 * stays as the snapshot says (`STALE` when the server says something else, `INACTIVE` when it no longer has it), and it is there
 * while the server is not (mcp_toolset.proto). Without pins, a server that does not answer is a toolset that cannot be opened.
 */
export const mcpToolset: ToolsetKind<"mcpToolset"> = {
  local: false,
  freshMs: FRESH_MS,
  audience: audienceOf,
  open: async (definition, toolset, deps, context) => {
    const overrides = context.bypass ? [] : definition.toolOverrides;
    const offered = await offeredTools(definition, toolset.displayName || toolset.name, deps, context);
    if (offered === "unreachable") return pinnedTools(definition, overrides);
    const listed = offered.map((tool) => {
      const found = foundTool(definition, tool, overrideFor(tool.name, overrides));
      if (tool.listed && found.toolType.case === "mcpTool")
        deps.mcp.listings.describe(found.toolType.value, tool.listed);
      return found;
    });
    const names = new Set(offered.map(({ name }) => name));
    return [...listed, ...inactiveTools(definition, overrides, names)];
  },
  refreshSnapshots: pinSnapshots,
  problems: (definition, { name }, { mcp }) => {
    const { serverAddress, customHeaders: wanted, toolOverrides } = definition;
    return [
      ...addressProblems(serverAddress),
      ...authenticationProblems(definition),
      ...headerProblems(wanted),
      ...overrideProblems(toolOverrides),
      ...serverProblems(mcp.listings.failure(appOf(name), serverAddress)),
    ];
  },
};

/** To whom a server may offer other tools than to others: whoever's headers differ. */
function audienceOf({ customHeaders: wanted }: McpToolset, { variables }: ToolsetContext): string {
  return JSON.stringify(Object.entries(customHeaders(wanted, variables).headers).sort());
}

/** What the server offers now, or did a while ago when it does not answer; pins stand in for what is not known. */
async function offeredTools(
  definition: McpToolset,
  name: string,
  deps: KindDeps,
  context: ToolsetContext,
): Promise<readonly OfferedTool[] | "unreachable"> {
  const problem = addressProblems(definition.serverAddress)[0];
  if (problem) throw cannotOpen(name, problem);
  const audience = audienceOf(definition, context);
  const { listings } = deps.mcp;
  try {
    const spared = context.bypass ? undefined : listings.spared(definition, audience);
    if (spared !== undefined) throw new McpError(spared);
    const offered = await listMcpTools(definition, context, deps);
    listings.keep(definition, audience, offered);
    listings.noteFailure(context.app, definition.serverAddress, undefined);
    return offered;
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    if (context.bypass) throw cannotOpen(name, error.message);
    listings.spare(definition, audience, error.message);
    const kept = listings.kept(definition, audience);
    if (kept) return kept;
    if (definition.toolOverrides.some(({ snapshot }) => snapshot)) return "unreachable";
    throw cannotOpen(name, error.message);
  }
}

function cannotOpen(name: string, why: string): Error {
  return failedPrecondition(`The tools of MCP toolset '${name}' cannot be listed: ${why}.`, {
    reason: "MCP_SERVER_UNAVAILABLE",
    metadata: { toolset: name },
  });
}

function overrideFor(name: string, overrides: readonly McpToolOverride[]): McpToolOverride | undefined {
  return overrides.find(({ tool }) => tool === name);
}

function foundTool(
  definition: McpToolset,
  offered: OfferedTool,
  override: McpToolOverride | undefined,
): DiscoveredTool {
  const { name, listed: _listed, ...current } = offered;
  const snapshot = override?.snapshot;
  const state = snapshot && differs(snapshot, current) ? McpTool_State.STALE : McpTool_State.ACTIVE;
  return toFound(definition, name, snapshot ?? current, state, override);
}

/** With the server gone nothing is known of the tools' state; what was pinned is used as it is. */
function pinnedTools(definition: McpToolset, overrides: readonly McpToolOverride[]): readonly DiscoveredTool[] {
  return overrides.flatMap((override) =>
    override.snapshot
      ? [toFound(definition, override.tool, override.snapshot, McpTool_State.STATE_UNSPECIFIED, override)]
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
      toFound(
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

function toFound(
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
    ...(nameOverride && { nameOverride: nameOverride }),
    ...(state === McpTool_State.INACTIVE && { hidden: true }),
    toolType: {
      case: "mcpTool",
      value: create(McpToolSchema, {
        name,
        nameOverride,
        description: override?.descriptionOverride || description,
        ...(inputSchema && { inputSchema }),
        ...(outputSchema && { outputSchema }),
        serverAddress,
        ...(apiAuthentication && { apiAuthentication }),
        ...(tlsConfig && { tlsConfig }),
        ...(serviceDirectoryConfig && { serviceDirectoryConfig }),
        customHeaders: headers,
        state,
      }),
    },
  };
}

function serverProblems(failure: string | undefined): readonly string[] {
  return failure === undefined
    ? []
    : [`the server's tools could not be listed when the toolset was written: ${failure}`];
}

function addressProblems(address: string): readonly string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return [];
  return [`server_address: '${address}' is no http or https URL`];
}

function overrideProblems(overrides: readonly McpToolOverride[]): readonly string[] {
  const names = overrides.map(({ tool }) => tool);
  const twice = [...new Set(names.filter((name, position) => names.indexOf(name) !== position))];
  return twice.map((name) => `tool_overrides: '${name}' is there twice, the first one counts`);
}
