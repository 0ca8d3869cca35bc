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
  /** The last move, until it has been undone or another change was made. */
  readonly moved: AgentMove | undefined;
  /** Moves an agent below another parent, or below none. */
  setParent(agent: Agent, parent: Agent | undefined): Promise<void>;
  /** Moves the agent of the last move back to its place. */
  undo(): Promise<void>;
  setRootAgent(agent: Agent): Promise<void>;
}

/** Where an agent was and is now, by resource names; parents are "" for none. */
interface AgentMove {
  readonly agent: string;
  readonly to: string;
  readonly from: string;
  /** Its place among the children of `from`. */
  readonly at: number;
}

/** Writes changes of the agent hierarchy, and reads the app and its agents again after each. */
export function useAgentHierarchy(app: App | undefined, all: readonly Agent[]): AgentHierarchy {
  const refresh = useRefresh();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<StatusError>();
  const [moved, setMoved] = useState<AgentMove>();
  const save = async (write: () => Promise<unknown>, done?: AgentMove) => {
    setSaving(true);
    setError(undefined);
    try {
      await write();
      setMoved(done);
    } catch (thrown) {
      setMoved(undefined);
      setError(toStatusError(thrown));
    }
    await refresh();
    setSaving(false);
  };
  return {
    saving,
    error,
    moved,
    setParent: (agent, parent) => save(() => moveAgent(all, agent, parent), moveOf(all, agent, parent)),
    undo: async () => {
      const agent = all.find(({ name }) => name === moved?.agent);
      const from = all.find(({ name }) => name === moved?.from);
      if (moved && agent) await save(() => moveAgent(all, agent, from, moved.at));
    },
    setRootAgent: (agent) => save(async () => app && apps.update({ ...app, rootAgent: agent.name }, ["root_agent"])),
  };
}

/** The move of an agent below another parent; undefined when it is there already. */
function moveOf(all: readonly Agent[], { name }: Agent, parent: Agent | undefined): AgentMove | undefined {
  const from = all.find(({ childAgents }) => childAgents.includes(name));
  if (from?.name === parent?.name) return undefined;
  const at = from?.childAgents.indexOf(name) ?? 0;
  return { agent: name, to: parent?.name ?? "", from: from?.name ?? "", at };
}

const MASK = ["child_agents"];

/**
 * An agent has at most one parent, so it is removed from the old parent before it is added to the new one. When the second write
 * fails, the first one is reverted.
 *
 * @param at its place among the new siblings; default: the last
 */
async function moveAgent(all: readonly Agent[], moved: Agent, to: Agent | undefined, at?: number): Promise<void> {
  const from = all.find(({ childAgents }) => childAgents.includes(moved.name));
  if (from?.name === to?.name) return;
  const released =
    from &&
    (await agents.update({ ...from, childAgents: from.childAgents.filter((name) => name !== moved.name) }, MASK));
  if (!to) return;
  try {
    await agents.update(
      { ...to, childAgents: to.childAgents.toSpliced(at ?? to.childAgents.length, 0, moved.name) },
      MASK,
    );
  } catch (error) {
    if (from && released) await agents.update({ ...released, childAgents: from.childAgents }, MASK);
    throw error;
  }
}
