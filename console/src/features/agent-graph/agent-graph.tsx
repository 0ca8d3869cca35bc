import type { Agent } from "@frontdesk/protos/ces/agent";
import {
  Background,
  Controls,
  type Edge,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  useReactFlow,
} from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import { titleOf } from "../../api/resource-address.ts";
import { useResolvedTheme } from "../../shell/theme.ts";
import { isWithin } from "../agents/agent-tree.ts";
import { AgentNode, type AgentNodeData } from "./agent-node.tsx";
import { layout } from "./layout.ts";
import "@xyflow/react/dist/style.css";

interface AgentGraphProps {
  readonly agents: readonly Agent[];
  readonly rootAgent: string;
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
  readonly onOpen: (name: string) => void;
  /** Called when an agent was dropped onto another one. */
  readonly onMove: (moved: Agent, to: Agent) => void;
}

const TYPES = { agent: AgentNode };

/** The agents of an app as a tree. Dropping one onto another puts it below that one; Enter chooses the focused one. */
function AgentGraph(props: AgentGraphProps) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  );
}

function Graph({ agents, rootAgent, chosen, onChoose, onOpen, onMove }: AgentGraphProps) {
  const theme = useResolvedTheme();
  const { getIntersectingNodes, fitView } = useReactFlow<AgentNodeData>();
  const [target, setTarget] = useState<string>();
  const drawn = useMemo(() => nodesOf(agents, rootAgent), [agents, rootAgent]);
  const [nodes, setNodes, onNodesChange] = useNodesState<AgentNodeData>([...drawn]);
  useEffect(() => setNodes([...drawn]), [drawn, setNodes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tree is another picture
  useEffect(() => void fitView(FIT), [agents.length, fitView]);
  const find = (name: string | undefined) => agents.find((agent) => agent.name === name);
  const under = (node: AgentNodeData) => {
    const moved = find(node.id);
    return getIntersectingNodes(node)
      .map(({ id }) => find(id))
      .find((other) => other && moved && !isWithin(agents, moved, other.name));
  };
  return (
    <div className="graph">
      <ReactFlow
        nodes={nodes.map((node) => ({
          ...node,
          selected: node.id === chosen,
          data: { ...node.data, isTarget: node.id === target },
        }))}
        edges={edgesOf(agents)}
        nodeTypes={TYPES}
        onNodesChange={(changes) => {
          onNodesChange(changes);
          for (const change of changes) if (change.type === "select" && change.selected) onChoose(change.id);
        }}
        onNodeDoubleClick={(_, { id }) => onOpen(id)}
        onNodeDrag={(_, node) => setTarget(under(node)?.name)}
        onNodeDragStop={(_, node) => {
          setTarget(undefined);
          const [moved, to] = [find(node.id), under(node)];
          if (moved && to) onMove(moved, to);
          setNodes([...drawn]);
        }}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        colorMode={theme}
        fitView
        fitViewOptions={FIT}
        minZoom={0.2}
        aria-label="Agents and whom they hand over to"
      >
        <Background gap={22} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

const FIT = { padding: 0.2, maxZoom: 1 } as const;

function nodesOf(agents: readonly Agent[], rootAgent: string): readonly AgentNodeData[] {
  const places = layout(agents);
  return agents.map((agent) => {
    const { name, tools, toolsets } = agent;
    const count = tools.length + toolsets.length;
    const isRoot = name === rootAgent;
    const told = [isRoot ? "begins" : "", count > 0 ? `${count} ${count === 1 ? "tool" : "tools"}` : "no tools"];
    return {
      id: name,
      type: "agent",
      position: places.get(name) ?? { x: 0, y: 0 },
      ariaLabel: `Agent ${titleOf(agent)}`,
      data: { title: titleOf(agent), told: told.filter(Boolean).join(" · "), isRoot, isTarget: false },
    };
  });
}

function edgesOf(agents: readonly Agent[]): Edge[] {
  return agents.flatMap(({ name, childAgents }) =>
    childAgents.map((child) => ({ id: `${name}>${child}`, source: name, target: child, selectable: false })),
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default AgentGraph;
