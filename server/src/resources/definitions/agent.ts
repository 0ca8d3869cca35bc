import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { shallowCopy } from "#aip";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";
import { withDerived } from "../resource.ts";
import { fullToolName } from "../system-tools.ts";
import { agentProblems } from "./agent-problems.ts";

/** Agents: one tree an app, wired to tools, toolsets and guardrails. */
export const agents = defineResource(AgentSchema, "app", {
  uniqueDisplayName: true,
  normalize: (agent, app) => {
    const copy = shallowCopy(agent);
    copy.tools = agent.tools.map((tool) => fullToolName(app, tool));
    return copy;
  },
  validate: (agent, state) => treeViolations(agent, state.list(AgentSchema)),
  deriveFromState: async (agent, state, python) =>
    withDerived(agent, { validationErrors: [...(await agentProblems(agent, state, python))] }),
});

/** Children that make the agents of an app no tree (TURN-19): each has at most one parent, and none is its own descendant. */
function treeViolations(agent: Agent, agents: readonly Agent[]): readonly FieldViolation[] {
  const { parents, cyclic } = treeOf(agents);
  const seen = new Set<string>();
  return agent.childAgents.flatMap((child, index): readonly FieldViolation[] => {
    const field = `child_agents[${index}]`;
    const found: FieldViolation[] = [];
    if (seen.has(child)) found.push({ field, description: `'${child}' is listed twice.` });
    seen.add(child);
    const other = parents.get(child)?.find(({ name }) => name !== agent.name);
    if (other) {
      const description = `'${child}' already is a child of '${other.displayName}' (${other.name}); an agent has at most one parent.`;
      found.push({ field, description });
    }
    if (cyclic.has(agent.name) && cyclic.has(child)) {
      const above = child === agent.name ? "is the agent itself" : "is above the agent";
      found.push({ field, description: `'${child}' ${above}; an agent cannot be its own descendant.` });
    }
    return found;
  });
}

interface AgentTree {
  /** The first two parents of each child. */
  readonly parents: ReadonlyMap<string, readonly Agent[]>;
  /** Names of the agents that are their own descendants. */
  readonly cyclic: ReadonlySet<string>;
}

/** Cached by list: a change of many agents asks for each. */
const trees = new WeakMap<readonly Agent[], AgentTree>();

function treeOf(agents: readonly Agent[]): AgentTree {
  const known = trees.get(agents);
  if (known) return known;
  const parents = new Map<string, Agent[]>();
  for (const agent of agents)
    for (const child of new Set(agent.childAgents)) {
      const found = parents.get(child);
      if (!found) parents.set(child, [agent]);
      else if (found.length < 2) found.push(agent);
    }
  const tree = { parents, cyclic: agentsInCycles(parents) };
  trees.set(agents, tree);
  return tree;
}

/** Follows the first parents upwards from each agent, past none of them twice: what meets the way that led there is a cycle. */
function agentsInCycles(parents: ReadonlyMap<string, readonly Agent[]>): ReadonlySet<string> {
  const cyclic = new Set<string>();
  const visited = new Set<string>();
  for (const start of parents.keys()) {
    const way = new Set<string>();
    let name: string | undefined = start;
    while (name !== undefined && !visited.has(name)) {
      visited.add(name);
      way.add(name);
      name = parents.get(name)?.[0]?.name;
    }
    if (name === undefined || !way.has(name)) continue;
    const names = [...way];
    for (const each of names.slice(names.indexOf(name))) cyclic.add(each);
  }
  return cyclic;
}
