import { clone, create } from "@bufbuild/protobuf";
import { McpToolDefinitionSchema, type McpToolset } from "@frontdesk/protos/ces/mcp_toolset";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { definedFields } from "#base";
import type { KindDeps } from "../tool-kind.ts";
import { headerProblems } from "./custom-headers.ts";
import { listMcpTools } from "./list-tools.ts";
import { McpError } from "./mcp-connections.ts";
import type { OfferedTool } from "./mcp-tool-lists.ts";

/** Timeout of listing a server's tools when a toolset is written, milliseconds. */
const LIST_TIMEOUT_MS = 5_000;
/** How long the write waits for the list when no snapshot is missing, milliseconds. */
const WAIT_MS = 1_000;

/**
 * Pins the overrides of a toolset that is being written to the server's current tools (mcp_toolset.proto: `snapshot`). A server that
 * does not respond leaves the pins unchanged and is reported in `validation_errors`. The write waits for the full timeout only when a
 * snapshot is missing; otherwise a late list is recorded when it arrives.
 */
export async function pinSnapshots(definition: McpToolset, toolset: Toolset, deps: KindDeps): Promise<Toolset> {
  const { name } = toolset;
  const list = listTools(definition, name, deps);
  const isSnapshotMissing = definition.toolOverrides.some(({ snapshot }) => !snapshot);
  const offered = await (isSnapshotMissing ? list : within(WAIT_MS, list, () => noteTimeout(definition, name, deps)));
  if (!offered || definition.toolOverrides.length === 0) return toolset;
  const copy = clone(ToolsetSchema, toolset);
  if (copy.toolsetType.case !== "mcpToolset") return toolset;
  for (const override of copy.toolsetType.value.toolOverrides) {
    const found = offered.find((tool) => tool.name === override.tool);
    if (found) override.snapshot = snapshotOf(found);
  }
  return copy;
}

/** The app in a toolset's resource name. */
function appOf(toolset: string): string {
  return toolset.replace(/\/toolsets\/[^/]+$/, "");
}

/** The value of the promise, or undefined after a time limit, when `onTimeout` is called. */
async function within<T>(milliseconds: number, promise: Promise<T>, onTimeout: () => void): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onTimeout();
      resolve(undefined);
    }, milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

function noteTimeout(definition: McpToolset, toolset: string, deps: KindDeps): void {
  noteFailure(definition, toolset, `the server did not answer within ${WAIT_MS} ms`, deps);
}

/** Without a session, custom headers have no values, so a failure of a server that needs them means nothing. */
function noteFailure(
  { serverAddress, customHeaders }: McpToolset,
  toolset: string,
  why: string,
  { mcp }: KindDeps,
): void {
  const needsHeaders = Object.keys(customHeaders).length > headerProblems(customHeaders).length;
  const problem = `the server's tools could not be listed when the toolset was written: ${why}`;
  mcp.lists.noteProblems(toolset, serverAddress, needsHeaders ? [] : [problem]);
}

async function listTools(
  definition: McpToolset,
  toolset: string,
  deps: KindDeps,
): Promise<readonly OfferedTool[] | undefined> {
  const { serverAddress } = definition;
  if (!URL.canParse(serverAddress)) return undefined;
  const caller = { app: appOf(toolset), toolset, variables: {}, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) };
  try {
    return await listMcpTools(definition, caller, deps, LIST_TIMEOUT_MS);
  } catch (error) {
    // The signal's own error is a timeout, too.
    const why = error instanceof McpError ? error.message : `the server did not answer within ${LIST_TIMEOUT_MS} ms`;
    noteFailure(definition, toolset, why, deps);
    return undefined;
  }
}

function snapshotOf({ description, inputSchema, outputSchema }: OfferedTool) {
  return create(McpToolDefinitionSchema, {
    description,
    ...definedFields({ inputSchema, outputSchema }),
  });
}
