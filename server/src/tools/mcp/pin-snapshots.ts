import { clone, create } from "@bufbuild/protobuf";
import { McpToolDefinitionSchema, type McpToolset } from "@frontdesk/protos/ces/mcp_toolset";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { KindDeps } from "../tool-kind.ts";
import { headerProblems } from "./custom-headers.ts";
import { listMcpTools } from "./list-tools.ts";
import { McpError } from "./mcp-connections.ts";
import type { OfferedTool } from "./mcp-tool-lists.ts";

/** How long a server is given to say what it has, milliseconds. */
const SETTLE_TIMEOUT_MS = 5_000;
/** How long whoever writes a toolset waits for that when nothing of it is missing, milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * A toolset that is being written, its overrides pinned to what the server says of their tools now (mcp_toolset.proto:
 * `snapshot`). A server that does not answer leaves the pins as they are, and is remembered for `validation_errors`. Only a pin
 * without a snapshot is worth all of the wait; else what a slow server says later is remembered when it comes.
 */
export async function pinSnapshots(definition: McpToolset, toolset: Toolset, deps: KindDeps): Promise<Toolset> {
  const app = appOf(toolset.name);
  const asked = ask(definition, app, deps);
  const isWanted = definition.toolOverrides.some(({ snapshot }) => !snapshot);
  const offered = await (isWanted ? asked : within(PATIENCE_MS, asked, () => noteSilence(definition, app, deps)));
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

/** What comes in time; undefined, and `late` called, when nothing does. */
async function within<T>(milliseconds: number, promise: Promise<T>, late: () => void): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve(undefined);
    }, milliseconds);
  });
  return Promise.race([promise, patience]).finally(() => clearTimeout(timer));
}

function noteSilence(definition: McpToolset, app: string, deps: KindDeps): void {
  noteFailure(definition, app, `the server did not answer within ${PATIENCE_MS} ms`, deps);
}

/** A server that wants headers of a session may well refuse whoever has none. */
function noteFailure({ serverAddress, customHeaders }: McpToolset, app: string, why: string, { mcp }: KindDeps): void {
  const unsure = Object.keys(customHeaders).length > headerProblems(customHeaders).length;
  mcp.listings.noteFailure(app, serverAddress, unsure ? undefined : why);
}

async function ask(definition: McpToolset, app: string, deps: KindDeps): Promise<readonly OfferedTool[] | undefined> {
  const { serverAddress } = definition;
  if (!URL.canParse(serverAddress)) return undefined;
  const caller = { app, variables: {}, signal: AbortSignal.timeout(SETTLE_TIMEOUT_MS) };
  try {
    const offered = await listMcpTools(definition, caller, deps, SETTLE_TIMEOUT_MS);
    deps.mcp.listings.noteFailure(app, serverAddress, undefined);
    return offered;
  } catch (error) {
    // The signal's own error means the same as the connection's: too late.
    const why = error instanceof McpError ? error.message : `the server did not answer within ${SETTLE_TIMEOUT_MS} ms`;
    noteFailure(definition, app, why, deps);
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
