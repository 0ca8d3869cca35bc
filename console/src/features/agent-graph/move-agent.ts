import type { Agent } from "@frontdesk/protos/ces/agent";
import { agents as agentKind } from "../../api/kinds/agents.ts";

const MASK = ["child_agents"];

/**
 * Puts an agent under another parent, or under none. The old parent lets go first, since an agent has one parent at most; when
 * the new one is refused, the old one takes it back.
 */
export async function moveAgent(agents: readonly Agent[], moved: Agent, to: Agent | undefined): Promise<void> {
  const from = agents.find(({ childAgents }) => childAgents.includes(moved.name));
  if (from?.name === to?.name) return;
  const released =
    from &&
    (await agentKind.update({ ...from, childAgents: from.childAgents.filter((name) => name !== moved.name) }, MASK));
  if (!to) return;
  try {
    await agentKind.update({ ...to, childAgents: [...to.childAgents, moved.name] }, MASK);
  } catch (error) {
    if (from && released) await agentKind.update({ ...released, childAgents: from.childAgents }, MASK);
    throw error;
  }
}
