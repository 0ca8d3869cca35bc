import { clone } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";
import { withDerived } from "../resource.ts";
import { fullToolName } from "../system-tools.ts";
import { agentProblems } from "./agent-problems.ts";

/** Agents: one tree an app, wired to tools, toolsets and guardrails. */
export const agents = defineResource(AgentSchema, "app", {
  uniqueDisplayName: true,
  normalize: (agent, app) => {
    const copy = clone(AgentSchema, agent);
    copy.tools = agent.tools.map((tool) => fullToolName(app, tool));
    return copy;
  },
  validate: (agent, state) => secondParents(agent, state.list(AgentSchema)),
  deriveFromState: async (agent, state, python) =>
    withDerived(AgentSchema, agent, { validationErrors: [...(await agentProblems(agent, state, python))] }),
});

/** Children that another agent already has: an agent has at most one parent (TURN-19). */
function secondParents(agent: Agent, agents: readonly Agent[]): readonly FieldViolation[] {
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

/** Agents that are their own descendants, one sentence per cycle. */
export function agentCycles(agents: readonly Agent[]): readonly string[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (agent: Agent, above: readonly Agent[]): void => {
    const start = above.indexOf(agent);
    if (start >= 0) {
      const names = [...above.slice(start), agent].map(({ displayName }) => `'${displayName}'`);
      cycles.push(`child_agents has a cycle: ${names.join(" > ")}.`);
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
