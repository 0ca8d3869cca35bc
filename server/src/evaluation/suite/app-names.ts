import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { ToolCall } from "@frontdesk/protos/ces/example";

type ToolIdentifier = ToolCall["toolIdentifier"];

/** The resources of an app by what files call them: display names, ids or resource names. */
export interface AppNames {
  /** Resource name of an agent; undefined when the app has none of this name. */
  agent(reference: string): string | undefined;
  /** Resource name of a toolset. */
  toolset(reference: string): string | undefined;
  /** A tool, or a tool of a toolset: `toolset.tool`, or its id alone where the app has one toolset only. */
  tool(reference: string): ToolIdentifier | undefined;
  /** Display names, for messages. */
  readonly agents: readonly string[];
  readonly tools: readonly string[];
}

/** Tools that every app has. */
const SYSTEM_TOOLS: ReadonlySet<string> = new Set(["end_session", "transfer_to_agent", "customize_response"]);

/** Indexes the names of an app. */
export function appNames({ app, agents, tools, toolsets }: AppSnapshot): AppNames {
  const agentByName = index(agents);
  const toolByName = index(tools);
  const toolsetByName = index(toolsets);
  const tool = (reference: string): ToolIdentifier | undefined => {
    const found = toolByName.get(spelling(reference));
    if (found) return { case: "tool", value: found };
    if (SYSTEM_TOOLS.has(reference)) return { case: "tool", value: `${app?.name}/tools/${reference}` };
    const separator = /[./]/.exec(reference)?.index ?? -1;
    const toolset = toolsetByName.get(spelling(reference.slice(0, Math.max(0, separator))));
    if (toolset) return toolsetTool(toolset, reference.slice(separator + 1));
    const [only, ...others] = toolsets;
    return only && others.length === 0 ? toolsetTool(only.name, reference) : undefined;
  };
  return {
    agent: (reference) => agentByName.get(spelling(reference)),
    toolset: (reference) => toolsetByName.get(spelling(reference)),
    tool,
    agents: agents.map(({ displayName }) => displayName),
    tools: tools.map(({ displayName, name }) => displayName || name.slice(name.lastIndexOf("/") + 1)),
  };
}

interface Named {
  readonly name: string;
  readonly displayName: string;
}

/** Display names win over ids, ids over resource names. */
function index(resources: readonly Named[]): ReadonlyMap<string, string> {
  return new Map([
    ...resources.map(({ name }) => [spelling(name), name] as const),
    ...resources.map(({ name }) => [spelling(name.slice(name.lastIndexOf("/") + 1)), name] as const),
    ...resources.map(({ name, displayName }) => [spelling(displayName), name] as const),
  ]);
}

/** Names of agents and tools are written with spaces or underscores. */
function spelling(name: string): string {
  return name.replaceAll(/[\s_]+/g, "_");
}

function toolsetTool(toolset: string, toolId: string): ToolIdentifier {
  return { case: "toolsetTool", value: { $typeName: "google.cloud.ces.v1beta.ToolsetTool", toolset, toolId } };
}
