import { create } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { ExecuteToolRequest } from "@frontdesk/protos/ces/tool_service";
import type { ToolsetTool } from "@frontdesk/protos/ces/toolset_tool";
import { failedPrecondition, invalidArgument, notFound } from "#status";
import { isSystemToolName } from "#tools";

const TOOL = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/tools\/([^/]+)$/;
const TOOLSET = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/toolsets\/([^/]+)$/;

/** What of a request says which tool is meant. */
export type ToolRequest = Pick<ExecuteToolRequest, "parent" | "toolIdentifier">;

/**
 * The tool of the app that a request names; system tools count. INVALID_ARGUMENT for a malformed or foreign name, NOT_FOUND
 * for what does not exist, FAILED_PRECONDITION for tools of toolsets.
 */
export function requestedTool({ parent, toolIdentifier }: ToolRequest, snapshot: AppSnapshot): Tool {
  switch (toolIdentifier.case) {
    case "tool":
      return findTool(toolIdentifier.value, parent, snapshot);
    case "toolsetTool":
      throw refuseToolsetTool(toolIdentifier.value, parent, snapshot);
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

function refuseToolsetTool({ toolset }: ToolsetTool, parent: string, snapshot: AppSnapshot): Error {
  const [, app] = TOOLSET.exec(toolset) ?? [];
  if (app !== parent) {
    const description = app ? `is not a toolset of '${parent}'` : "must have the form {parent}/toolsets/{toolset}";
    return invalidArgument({ field: "toolset_tool.toolset", description: `'${toolset}' ${description}` });
  }
  return refuseToolset(toolset, snapshot);
}

/** NOT_FOUND for a toolset that does not exist, else why its tools are out of reach. */
export function refuseToolset(name: string, snapshot: AppSnapshot): Error {
  const toolset = snapshot.toolsets.find((candidate) => candidate.name === name);
  if (!toolset) return notFound(name, "ces.googleapis.com/Toolset");
  return failedPrecondition(
    `Toolset '${toolset.displayName || name}' cannot be opened: this server does not run toolsets yet.`,
    { reason: "TOOLSET_NOT_SUPPORTED", metadata: { toolset: name } },
  );
}

/** The app that a toolset's name lies in; INVALID_ARGUMENT when it is no such name. */
export function appOfToolset(toolset: string): string {
  const [, app] = TOOLSET.exec(toolset) ?? [];
  if (app) return app;
  throw invalidArgument({ field: "toolset", description: `'${toolset}' is not the name of a toolset` });
}
