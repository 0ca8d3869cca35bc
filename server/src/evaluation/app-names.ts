import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { ToolCall } from "@frontdesk/protos/ces/example";
import { isSystemToolName, memberName } from "#tools";

type ToolIdentifier = ToolCall["toolIdentifier"];

/** The resources of an app by what files call them: display names, ids or resource names. */
export interface AppNames {
  /** Resource name of an agent; undefined when the app has none of this name. */
  agent(reference: string): string | undefined;
  /** Resource name of a toolset. */
  toolset(reference: string): string | undefined;
  /** A tool, or a tool of a toolset: `toolset.tool`, `toolset/tool`, or its function name. Which tools a toolset has is not looked at. */
  tool(reference: string): ToolIdentifier | undefined;
  /** What `tool` finds; else, where the app has one toolset only, the tool of this id in it. */
  toolOrMember(reference: string): ToolIdentifier | undefined;
  /** Display names, for messages. */
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
}

/** Indexes the names of an app. */
export function appNames({ app, agents, tools, toolsets }: AppSnapshot): AppNames {
  const [agent, ownTool, toolset] = [agents, tools, toolsets].map(finder) as [Find, Find, Find];
  const tool = (reference: string): ToolIdentifier | undefined => {
    const found = ownTool(reference);
    if (found) return { case: "tool", value: found };
    // By its name, as files have it, or by its resource name, as an evaluation of an app has it.
    const system = reference.replace(`${app?.name}/tools/`, "");
    if (isSystemToolName(system)) return { case: "tool", value: `${app?.name}/tools/${system}` };
    // The names of toolsets and of their tools may have the separators, too.
    for (const { index } of reference.matchAll(/[./]/g)) {
      const owner = toolset(reference.slice(0, index));
      if (owner) return toolsetTool(owner, reference.slice(index + 1));
    }
    const [named] = toolsets
      .map(({ name, displayName }) => ({ name, prefix: memberName({ name, displayName }, "") }))
      .filter(({ prefix }) => reference.startsWith(prefix) && reference.length > prefix.length)
      .sort((one, other) => other.prefix.length - one.prefix.length);
    return named && toolsetTool(named.name, reference.slice(named.prefix.length));
  };
  return {
    agent,
    toolset,
    tool,
    toolOrMember: (reference) => {
      const [only, ...others] = toolsets;
      return tool(reference) ?? (only && others.length === 0 ? toolsetTool(only.name, reference) : undefined);
    },
    agents: agents.map(shownName),
    tools: tools.map(shownName),
    toolsets: toolsets.map(shownName),
  };
}

interface Named {
  readonly name: string;
  readonly displayName: string;
}

type Find = (reference: string) => string | undefined;

/** Finds by display name, id or resource name, in this order; as it is written first, then as names of packages and of Python are spelled. */
function finder(resources: readonly Named[]): Find {
  const written = new Map<string, string>();
  const spelled = new Map<string, string>();
  const keys: readonly ((resource: Named) => string)[] = [({ displayName }) => displayName, idOf, ({ name }) => name];
  for (const key of keys) {
    for (const resource of resources) {
      const text = key(resource);
      if (!written.has(text)) written.set(text, resource.name);
      if (!spelled.has(spelling(text))) spelled.set(spelling(text), resource.name);
    }
  }
  const found = (reference: string) => written.get(reference) ?? spelled.get(spelling(reference));
  // An export of another app has the names of that one, and ids of the package that both were made of.
  return (reference) => found(reference) ?? found(RESOURCE_NAME.exec(reference)?.[1] ?? reference);
}

const RESOURCE_NAME = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/[^/]+\/([^/]+)$/;

function idOf({ name }: Named): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function shownName(resource: Named): string {
  return resource.displayName || idOf(resource);
}

/** Names of agents and tools are written with spaces or underscores. */
export function spelling(name: string): string {
  return name.replaceAll(/[\s_]+/g, "_");
}

function toolsetTool(toolset: string, toolId: string): ToolIdentifier {
  return { case: "toolsetTool", value: { $typeName: "google.cloud.ces.v1beta.ToolsetTool", toolset, toolId } };
}
