import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { SnapshotRef } from "#session";

type Snapshot = SnapshotRef["snapshot"];

/** Finds the agents and tools of an app by the names that people write. Both throw an error that names the fix. */
export interface AppNames {
  /** Resource name of an agent: by its display name, id or resource name. */
  agent(name: string): string;
  /** A tool: by its display name, id or resource name; of a toolset as `<toolset>/<tool id>`. */
  tool(name: string): ToolCall["toolIdentifier"];
}

/** Reads the names of an app. */
export function appNames({ agents, tools, toolsets }: Pick<Snapshot, "agents" | "tools" | "toolsets">): AppNames {
  return {
    agent: (name) => {
      const agent = find(agents, name);
      if (agent) return agent.name;
      throw new Error(`'${name}' is not an agent of the app; its agents are ${listOf(agents)}.`);
    },
    tool: (name) => {
      // The display name of a Python tool is that of its function.
      const tool = find(tools, name);
      if (tool) return { case: "tool", value: tool.name };
      const slash = name.lastIndexOf("/");
      const toolset = slash > 0 ? find(toolsets, name.slice(0, slash)) : undefined;
      if (toolset)
        return { case: "toolsetTool", value: { toolset: toolset.name, toolId: name.slice(slash + 1) } } as never;
      throw new Error(`'${name}' is not a tool of the app; its tools are ${listOf([...tools, ...toolsets])}.`);
    },
  };
}

interface Named {
  readonly name: string;
  readonly displayName: string;
}

function find<R extends Named>(resources: readonly R[], wanted: string): R | undefined {
  return resources.find(
    ({ name, displayName }) => displayName === wanted || name === wanted || name.endsWith(`/${wanted}`),
  );
}

/** Names in a message, at most ten. */
function listOf(resources: readonly Named[]): string {
  const names = resources.map(({ displayName }) => `'${displayName}'`);
  return names.length === 0 ? "none" : `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
}
