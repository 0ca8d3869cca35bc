import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";

/** Agents elsewhere call their models themselves. */
export function isLocal({ agentType }: Agent): boolean {
  return agentType.case !== "remoteDialogflowAgent" && agentType.case !== "remoteA2aAgent";
}

/** The model that each agent names, else the nearest ancestor, else the app (TURN-20). "" = the server's default. */
export function modelsOf(agents: readonly Agent[], app: App): ReadonlyMap<Agent, string> {
  const parents = new Map(
    agents.toReversed().flatMap((agent) => agent.childAgents.map((child) => [child, agent] as const)),
  );
  const models = new Map<Agent, string>();
  for (const start of agents) {
    // Ancestors whose model is not known yet get the one that is found above them.
    const way = new Set<Agent>();
    let agent: Agent | undefined = start;
    while (agent && !way.has(agent) && !models.has(agent) && !agent.modelSettings?.model) {
      way.add(agent);
      agent = parents.get(agent.name);
    }
    const found = agent && (agent.modelSettings?.model || models.get(agent));
    for (const each of [...way, start])
      if (!models.has(each)) models.set(each, found || app.modelSettings?.model || "");
  }
  return models;
}
