import { clone, create } from "@bufbuild/protobuf";
import { McpToolDefinitionSchema, type McpToolset } from "@frontdesk/protos/ces/mcp_toolset";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { KindDeps } from "../tool-kind.ts";
import { headerProblems } from "./custom-headers.ts";
import { listServer, type OfferedTool } from "./list-server.ts";
import { McpError } from "./mcp-clients.ts";

/** How long whoever writes a toolset waits for its server, milliseconds. */
const SETTLE_TIMEOUT_MS = 5_000;

/**
 * A toolset that is being written, its overrides pinned to what the server says of their tools now (mcp_toolset.proto:
 * `snapshot`). A server that does not answer leaves the pins as they are, and is remembered for `validation_errors`.
 */
export async function pinSnapshots(definition: McpToolset, toolset: Toolset, deps: KindDeps): Promise<Toolset> {
  const offered = await ask(definition, appOf(toolset.name), deps);
  if (!offered || definition.toolOverrides.length === 0) return toolset;
  const copy = clone(ToolsetSchema, toolset);
  if (copy.toolsetType.case !== "mcpToolset") return toolset;
  for (const override of copy.toolsetType.value.toolOverrides) {
    const found = offered.find(({ name }) => name === override.tool);
    if (found) override.snapshot = snapshotOf(found);
  }
  return copy;
}

/** The app that a toolset's name lies in. */
export function appOf(toolset: string): string {
  return toolset.replace(/\/toolsets\/[^/]+$/, "");
}

async function ask(definition: McpToolset, app: string, deps: KindDeps): Promise<readonly OfferedTool[] | undefined> {
  const { serverAddress, customHeaders: wanted } = definition;
  if (!URL.canParse(serverAddress)) return undefined;
  const caller = { app, variables: {}, signal: AbortSignal.timeout(SETTLE_TIMEOUT_MS) };
  try {
    const offered = await listServer(definition, caller, deps, SETTLE_TIMEOUT_MS);
    deps.mcp.listings.noteFailure(app, serverAddress, undefined);
    return offered;
  } catch (error) {
    // The signal's own error means the same as the connection's: too late.
    const why = error instanceof McpError ? error.message : `the server did not answer within ${SETTLE_TIMEOUT_MS} ms`;
    // A server that wants headers of a session may well refuse whoever has none.
    const unsure = Object.keys(wanted).length > headerProblems(wanted).length;
    deps.mcp.listings.noteFailure(app, serverAddress, unsure ? undefined : why);
    return undefined;
  }
}

function snapshotOf({ description, inputSchema, outputSchema }: OfferedTool) {
  return create(McpToolDefinitionSchema, {
    description,
    ...(inputSchema && { inputSchema }),
    ...(outputSchema && { outputSchema }),
  });
}
