import type { Agent_AgentToolset } from "@frontdesk/protos/ces/agent";
import type { JsonObject } from "#base";
import { ConnectError } from "#status";
import type { Tools, ToolsetMember } from "#tools";
import type { AppIndex } from "../app-index.ts";

/** What an agent gets of one of its toolsets. The same `members` array means the same tools. */
export interface ToolsetOffer {
  readonly attached: Agent_AgentToolset;
  readonly members: readonly ToolsetMember[];
  /** Why the toolset could not be opened. */
  readonly problem?: string;
}

/** For whom toolsets are opened: what other servers are shown may depend on the session's variables. */
export interface ToolsetAudience {
  readonly variables: JsonObject;
  readonly signal: AbortSignal;
}

/** Opens the toolsets of an agent side by side. One that cannot be opened costs its own tools, no others (TSET-3). */
export function openToolsets(
  attached: readonly Agent_AgentToolset[],
  index: AppIndex,
  tools: Pick<Tools, "open">,
  audience: ToolsetAudience,
): Promise<readonly ToolsetOffer[]> {
  return Promise.all(attached.map((one) => open(one, index, tools, audience)));
}

async function open(
  attached: Agent_AgentToolset,
  { app, toolsets }: AppIndex,
  tools: Pick<Tools, "open">,
  { variables, signal }: ToolsetAudience,
): Promise<ToolsetOffer> {
  const toolset = toolsets.get(attached.toolset);
  if (!toolset) return { attached, members: [], problem: `Toolset '${attached.toolset}' does not exist.` };
  try {
    return { attached, members: await tools.open(toolset, { app: app.name, variables, settings: app, signal }) };
  } catch (error) {
    if (error instanceof ConnectError) return { attached, members: [], problem: error.rawMessage };
    throw error;
  }
}

/** The members that the agent's `tool_ids` let through, all when there are none, and ids that lead to nothing (TSET-1). */
export function chosenMembers({ attached, members, problem }: ToolsetOffer): {
  readonly chosen: readonly ToolsetMember[];
  readonly problems: readonly string[];
} {
  if (problem !== undefined) return { chosen: [], problems: [problem] };
  const { toolIds, toolset } = attached;
  const chosen = members.filter(({ toolId, hidden }) => !hidden && (toolIds.length === 0 || toolIds.includes(toolId)));
  const missing = toolIds.filter((id) => !members.some(({ toolId }) => toolId === id));
  return {
    chosen,
    problems: missing.map((id) => `Toolset '${toolset}' has no tool '${id}'; the agent runs without it.`),
  };
}
