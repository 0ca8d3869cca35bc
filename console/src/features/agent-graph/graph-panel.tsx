import type { Agent } from "@frontdesk/protos/ces/agent";
import { Link } from "@tanstack/react-router";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { isWithin } from "../agents/agent-tree.ts";
import "../../styles/edit/agent-graph.css";

interface GraphPanelProps {
  readonly agents: readonly Agent[];
  readonly agent: Agent | undefined;
  readonly rootAgent: string;
  readonly saving: boolean;
  /** Whether agents may be moved. */
  readonly movable: boolean;
  /** Whether another agent may become the root agent. */
  readonly mayChangeRoot: boolean;
  readonly onMove: (agent: Agent, to: Agent | undefined) => void;
  readonly onSetRoot: (agent: Agent) => void;
}

/** The selected agent of the graph and its parent: what dragging does, without a pointer. */
export function GraphPanel({
  agents,
  agent,
  rootAgent,
  saving,
  movable,
  mayChangeRoot,
  onMove,
  onSetRoot,
}: GraphPanelProps) {
  if (!agent) {
    return (
      <p className="graph-panel muted">
        {movable
          ? "Select an agent to change its parent, or drag it onto another agent. Double-click to open it."
          : "Double-click an agent to open it."}
      </p>
    );
  }
  const parent = agents.find(({ childAgents }) => childAgents.includes(agent.name));
  const others = agents.filter((other) => !isWithin(agents, agent, other.name));
  return (
    <section className="graph-panel" aria-label={`Agent ${resourceTitle(agent)}`}>
      <SelectField
        label="Parent agent"
        value={parent?.name ?? ""}
        disabled={saving || !movable}
        choices={[
          { value: "", label: "None" },
          ...others.map((other) => ({ value: other.name, label: resourceTitle(other) })),
        ]}
        onChange={(name) =>
          onMove(
            agent,
            others.find((other) => other.name === name),
          )
        }
      />
      {agent.name !== rootAgent && mayChangeRoot && (
        <Button isDisabled={saving} onPress={() => onSetRoot(agent)}>
          Set as root agent
        </Button>
      )}
      <Link className="button" to={pagePath(agent.name)}>
        Open {resourceTitle(agent)}
      </Link>
    </section>
  );
}
