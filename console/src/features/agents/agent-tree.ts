import type { Agent } from "@frontdesk/protos/ces/agent";

/** An agent with its depth and its parent. */
interface AgentPlace {
  readonly agent: Agent;
  readonly depth: number;
  readonly parent?: Agent;
}

/** The agents of an app as a list in the order of its tree: the root first, each followed by its children, agents without a parent last. */
export function agentTree(agents: readonly Agent[], rootAgent: string): readonly AgentPlace[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const seen = new Set<string>();
  const walk = (agent: Agent, depth: number, parent?: Agent): readonly AgentPlace[] => {
    if (seen.has(agent.name)) return [];
    seen.add(agent.name);
    const children = agent.childAgents.flatMap((name) => byName.get(name) ?? []);
    return [{ agent, depth, parent }, ...children.flatMap((child) => walk(child, depth + 1, agent))];
  };
  const children = new Set(agents.flatMap(({ childAgents }) => childAgents));
  const root = byName.get(rootAgent);
  const tops = agents.filter(({ name }) => name !== rootAgent && !children.has(name));
  return [
    ...(root ? walk(root, 0) : []),
    ...tops.flatMap((top) => walk(top, 0)),
    ...agents.flatMap((rest) => walk(rest, 0)),
  ];
}

/** Whether `name` is the agent or one of its descendants. */
export function isWithin(
  agents: readonly Agent[],
  agent: Agent,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (agent.name === name) return true;
  if (seen.has(agent.name)) return false;
  const deeper = new Set([...seen, agent.name]);
  return agents.some((child) => agent.childAgents.includes(child.name) && isWithin(agents, child, name, deeper));
}
