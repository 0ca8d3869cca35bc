import { create } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { ExecuteToolRequest } from "@frontdesk/protos/ces/tool_service";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { type ToolsetTool, ToolsetToolSchema } from "@frontdesk/protos/ces/toolset_tool";
import { nameMatcher } from "#base";
import { invalidArgument, notFound } from "#status";
import { isSystemToolName, type ToolsetMember } from "#tools";

const TOOL = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/tools\/([^/]+)$/;
const TOOLSET = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/toolsets\/([^/]+)$/;

/** The fields of a request that identify a tool. */
type ToolRequest = Pick<ExecuteToolRequest, "parent" | "toolIdentifier">;

/** The tool that a request names, and its identifier in the response. */
interface RequestedTool {
  readonly tool: Tool;
  readonly toolIdentifier:
    | { readonly case: "tool"; readonly value: string }
    | { readonly case: "toolsetTool"; readonly value: ToolsetTool };
}

/** Lists the tools of a toolset of the app. */
type OpenToolset = (toolset: Toolset) => Promise<readonly ToolsetMember[]>;

/**
 * The tool of the app that a request names; system tools count. INVALID_ARGUMENT for a malformed name, for a name of another app and
 * for an id that matches several tools of a toolset, NOT_FOUND for what does not exist.
 */
export async function requestedTool(
  { parent, toolIdentifier }: ToolRequest,
  snapshot: AppSnapshot,
  open: OpenToolset,
): Promise<RequestedTool> {
  switch (toolIdentifier.case) {
    case "tool": {
      const tool = findTool(toolIdentifier.value, parent, snapshot);
      return { tool, toolIdentifier: { case: "tool", value: tool.name } };
    }
    case "toolsetTool":
      return findMember(toolIdentifier.value, parent, snapshot, open);
    default:
      throw invalidArgument({ field: "tool_identifier", description: "one of tool, toolset_tool is required" });
  }
}

function findTool(name: string, parent: string, snapshot: AppSnapshot): Tool {
  const [, app, id = ""] = TOOL.exec(name) ?? [];
  if (app !== parent) {
    const description = app ? `is not a tool of '${parent}'` : "must have the form {parent}/tools/{tool}";
    throw invalidArgument({ field: "tool", description: `'${name}' ${description}` });
  }
  const tool = snapshot.tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  if (!isSystemToolName(id)) throw notFound(name, "ces.googleapis.com/Tool");
  return create(ToolSchema, { name, displayName: id, toolType: { case: "systemTool", value: { name: id } } });
}

async function findMember(
  { toolset, toolId }: ToolsetTool,
  parent: string,
  snapshot: AppSnapshot,
  open: OpenToolset,
): Promise<RequestedTool> {
  const [, app] = TOOLSET.exec(toolset) ?? [];
  if (app !== parent) {
    const description = app ? `is not a toolset of '${parent}'` : "must have the form {parent}/toolsets/{toolset}";
    throw invalidArgument({ field: "toolset_tool.toolset", description: `'${toolset}' ${description}` });
  }
  const members = await open(findToolset(toolset, snapshot));
  const matching = toolId === "" ? members : membersOf(toolset, members, [toolId]);
  const [found, another] = matching;
  if (!found) throw notFound(`${toolset}/tools/${toolId}`, "ces.googleapis.com/Tool");
  if (another)
    throw invalidArgument({
      field: "toolset_tool.tool_id",
      description: `the toolset has ${members.length} tools; name one`,
    });
  const value = create(ToolsetToolSchema, { toolset, toolId: found.toolId });
  return { tool: found.tool, toolIdentifier: { case: "toolsetTool", value } };
}

/** The toolset of this name; NOT_FOUND when the app has none. */
export function findToolset(name: string, snapshot: AppSnapshot): Toolset {
  const toolset = snapshot.toolsets.find((candidate) => candidate.name === name);
  if (toolset) return toolset;
  throw notFound(name, "ces.googleapis.com/Toolset");
}

/**
 * The members with these ids, all when there are no ids. NOT_FOUND for the first id without a member, INVALID_ARGUMENT for one that
 * several members fit (TSET-12).
 */
export function membersOf(
  toolset: string,
  members: readonly ToolsetMember[],
  ids: readonly string[],
): readonly ToolsetMember[] {
  if (ids.length === 0) return members;
  const matching = nameMatcher(members.map(({ toolId }) => toolId));
  const named = new Set(ids.map((id) => exactId(toolset, id, matching(id))));
  return members.filter(({ toolId }) => named.has(toolId));
}

function exactId(toolset: string, id: string, [only, ...others]: readonly string[]): string {
  if (only === undefined) throw notFound(`${toolset}/tools/${id}`, "ces.googleapis.com/Tool");
  if (others.length === 0) return only;
  const names = [only, ...others].map((name) => `'${name}'`).join(", ");
  throw invalidArgument({ field: "tool_id", description: `'${id}' fits several tools (${names}); write one exactly` });
}

/** The app in the name of a toolset; INVALID_ARGUMENT when it is not the name of a toolset. */
export function appOfToolset(toolset: string): string {
  const [, app] = TOOLSET.exec(toolset) ?? [];
  if (app) return app;
  throw invalidArgument({ field: "toolset", description: `'${toolset}' is not the name of a toolset` });
}
