import type { Agent } from "@frontdesk/protos/ces/agent";
import { Link } from "@tanstack/react-router";
import { addressOf, titleOf } from "../../api/resource-address.ts";
import { Button } from "../../components/button.tsx";
import { Pick } from "../../components/field.tsx";
import { isWithin } from "../agents/agent-tree.ts";
import "../../styles/edit/agent-graph.css";

interface GraphPanelProps {
  readonly agents: readonly Agent[];
  readonly agent: Agent | undefined;
  readonly rootAgent: string;
  readonly moving: boolean;
  readonly onMove: (agent: Agent, to: Agent | undefined) => void;
  readonly onRoot: (agent: Agent) => void;
}

/** The chosen agent of the graph and where it stands: the same moves as by dragging, without a pointer. */
export function GraphPanel({ agents, agent, rootAgent, moving, onMove, onRoot }: GraphPanelProps) {
  if (!agent) {
    return (
      <p className="graph-panel muted">
        Choose an agent to move it, or drop one onto another. A double click opens it.
      </p>
    );
  }
  const parent = agents.find(({ childAgents }) => childAgents.includes(agent.name));
  const others = agents.filter((other) => !isWithin(agents, agent, other.name));
  return (
    <section className="graph-panel" aria-label={`Agent ${titleOf(agent)}`}>
      <Pick
        label={`${titleOf(agent)} stands under`}
        value={parent?.name ?? ""}
        disabled={moving}
        choices={[
          { value: "", label: "Nobody" },
          ...others.map((other) => ({ value: other.name, label: titleOf(other) })),
        ]}
        onChange={(name) =>
          onMove(
            agent,
            others.find((other) => other.name === name),
          )
        }
      />
      {agent.name !== rootAgent && (
        <Button isDisabled={moving} onPress={() => onRoot(agent)}>
          Begin conversations here
        </Button>
      )}
      <Link className="button" to={addressOf(agent.name)}>
        Open {titleOf(agent)}
      </Link>
    </section>
  );
}
