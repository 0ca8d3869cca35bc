import type { Agent } from "@frontdesk/protos/ces/agent";
import type { FieldViolation } from "#status";

/** Children that another agent already has: an agent has at most one parent (TURN-19). */
export function secondParents(agent: Agent, agents: readonly Agent[]): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  for (const [index, child] of agent.childAgents.entries()) {
    const field = `child_agents[${index}]`;
    if (agent.childAgents.indexOf(child) < index)
      violations.push({ field, description: `'${child}' is listed twice.` });
    const other = agents.find(({ name, childAgents }) => name !== agent.name && childAgents.includes(child));
    if (other) {
      const description = `'${child}' already is a child of '${other.displayName}' (${other.name}); an agent has at most one parent.`;
      violations.push({ field, description });
    }
  }
  return violations;
}

/** Agents that are their own descendants, one sentence a circle. */
export function agentCycles(agents: readonly Agent[]): readonly string[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (agent: Agent, above: readonly Agent[]): void => {
    const start = above.indexOf(agent);
    if (start >= 0) {
      const names = [...above.slice(start), agent].map(({ displayName }) => `'${displayName}'`);
      cycles.push(`child_agents runs in a circle: ${names.join(" > ")}.`);
      return;
    }
    if (done.has(agent.name)) return;
    for (const child of agent.childAgents) {
      const below = byName.get(child);
      if (below) visit(below, [...above, agent]);
    }
    done.add(agent.name);
  };
  for (const agent of agents) visit(agent, []);
  return cycles;
}
