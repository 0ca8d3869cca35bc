import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { AppView } from "../define-resource.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { isLocal, modelsOf } from "./models-of-agents.ts";

/** Agents that offer more functions than their model takes, one sentence each. Tools of toolsets count where they are known without a request. */
export async function functionCountProblems(
  app: App,
  state: AppView,
  { server, tools }: PythonChecks,
): Promise<readonly string[]> {
  const agents = state.list(AgentSchema);
  const models = modelsOf(agents, app);
  const limits = agents
    .filter(isLocal)
    .flatMap((agent) => ({ agent, ...server.functionLimit(models.get(agent) ?? "") }))
    .filter((limited): limited is LimitedAgent => limited.most !== undefined);
  if (limits.length === 0) return [];
  const children = new Set(agents.flatMap(({ childAgents }) => childAgents));
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (name: string): Promise<number> => {
    const toolset = state.find(ToolsetSchema, name);
    const size = sizes.get(name) ?? (toolset ? tools.knownToolIds(toolset) : none()).then((ids) => ids?.length ?? 0);
    sizes.set(name, size);
    return size;
  };
  const problems = limits.map(async ({ agent, label, most }) => {
    const ofToolsets = agent.toolsets.map(async ({ toolset, toolIds }) => toolIds.length || sizeOf(toolset));
    // The transfer to children and parent is a function, too.
    const transfers = agent.childAgents.length > 0 || children.has(agent.name) ? 1 : 0;
    const own = new Set(agent.tools).size + transfers;
    const count = (await Promise.all(ofToolsets)).reduce((sum, size) => sum + size, own);
    if (count <= most) return [];
    return [
      `Agent '${agent.displayName}' offers ${count} functions, and '${label}' takes ${most}, so its turns fail; give some of its tools to child agents, or hide those that are not needed in a before_model callback.`,
    ];
  });
  return (await Promise.all(problems)).flat();
}

interface LimitedAgent {
  readonly agent: Agent;
  readonly label: string;
  readonly most: number;
}

async function none(): Promise<undefined> {}
