import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { useState } from "react";
import { agents, apps } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh } from "../../api/use-resources.ts";

/** Changes of the agent hierarchy of an app. One runs at a time. */
export interface AgentHierarchy {
  readonly saving: boolean;
  /** Why the last change failed. */
  readonly error: StatusError | undefined;
  /** Moves an agent below another parent, or below none. */
  setParent(agent: Agent, parent: Agent | undefined): Promise<void>;
  setRootAgent(agent: Agent): Promise<void>;
}

/** Writes changes of the agent hierarchy, and reads the app and its agents again after each. */
export function useAgentHierarchy(app: App | undefined, all: readonly Agent[]): AgentHierarchy {
  const refresh = useRefresh();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<StatusError>();
  const save = async (write: () => Promise<unknown>) => {
    setSaving(true);
    setError(undefined);
    try {
      await write();
    } catch (thrown) {
      setError(toStatusError(thrown));
    }
    await refresh();
    setSaving(false);
  };
  return {
    saving,
    error,
    setParent: (agent, parent) => save(() => moveAgent(all, agent, parent)),
    setRootAgent: (agent) => save(async () => app && apps.update({ ...app, rootAgent: agent.name }, ["root_agent"])),
  };
}

const MASK = ["child_agents"];

/**
 * An agent has at most one parent, so it is removed from the old parent before it is added to the new one. When the second write
 * fails, the first one is reverted.
 */
async function moveAgent(all: readonly Agent[], moved: Agent, to: Agent | undefined): Promise<void> {
  const from = all.find(({ childAgents }) => childAgents.includes(moved.name));
  if (from?.name === to?.name) return;
  const released =
    from &&
    (await agents.update({ ...from, childAgents: from.childAgents.filter((name) => name !== moved.name) }, MASK));
  if (!to) return;
  try {
    await agents.update({ ...to, childAgents: [...to.childAgents, moved.name] }, MASK);
  } catch (error) {
    if (from && released) await agents.update({ ...released, childAgents: from.childAgents }, MASK);
    throw error;
  }
}
