import type { Agent } from "@frontdesk/protos/ces/agent";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  useReactFlow,
} from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import { doesNotLoad } from "../../api/does-not-load.ts";
import { resourceTitle } from "../../api/resource-names.ts";
import { useResolvedTheme } from "../../shell/theme.ts";
import { isWithin } from "../agents/agent-tree.ts";
import "@xyflow/react/dist/style.css";
import "../../styles/edit/agent-graph.css";
import dagre from "@dagrejs/dagre";

interface AgentGraphProps {
  readonly agents: readonly Agent[];
  readonly rootAgent: string;
  readonly selected: string | undefined;
  /** Whether agents may be dropped onto others. */
  readonly movable: boolean;
  readonly onSelect: (name: string) => void;
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

function Graph({ agents, rootAgent, selected, movable, onSelect, onOpen, onMove }: AgentGraphProps) {
  const theme = useResolvedTheme();
  const { getIntersectingNodes, fitView } = useReactFlow<AgentNodeData>();
  const [target, setTarget] = useState<string>();
  const drawn = useMemo(() => nodesOf(agents, rootAgent), [agents, rootAgent]);
  const fit = fitOf(agents, rootAgent);
  const [nodes, setNodes, onNodesChange] = useNodesState<AgentNodeData>([...drawn]);
  useEffect(() => setNodes([...drawn]), [drawn, setNodes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tree is another picture
  useEffect(() => void fitView(fit), [agents.length, fitView]);
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
          selected: node.id === selected,
          data: { ...node.data, isTarget: node.id === target },
        }))}
        edges={edgesOf(agents)}
        nodeTypes={TYPES}
        onNodesChange={(changes) => {
          onNodesChange(changes);
          for (const change of changes) if (change.type === "select" && change.selected) onSelect(change.id);
        }}
        onNodeDoubleClick={(_, { id }) => onOpen(id)}
        onNodeDrag={(_, node) => setTarget(under(node)?.name)}
        onNodeDragStop={(_, node) => {
          setTarget(undefined);
          const [moved, to] = [find(node.id), under(node)];
          if (moved && to) onMove(moved, to);
          setNodes([...drawn]);
        }}
        nodesDraggable={movable}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        colorMode={theme}
        fitView
        fitViewOptions={fit}
        minZoom={0.2}
        aria-label="Agent hierarchy"
        ariaLabelConfig={movable ? MOVABLE : FIXED}
      >
        <Background gap={22} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

/** What is said of each agent: the library's own words promise that keys move and delete it. */
const MOVABLE = spoken("Enter selects the agent. Its parent is chosen below the hierarchy.");
const FIXED = spoken("Enter selects the agent, and a link to it appears below the hierarchy.");

function spoken(text: string) {
  return { "node.a11yDescription.default": text, "node.a11yDescription.keyboardDisabled": text };
}

const FIT = { padding: 0.2, maxZoom: 1 } as const;

/** A larger tree cannot be read when all of it is in view. */
const MOST_IN_VIEW = 40;

/** What is in view at first: the whole tree, and of a large one, whose children are screens apart, the root agent and what is near. */
function fitOf(agents: readonly Agent[], rootAgent: string) {
  const root = agents.find(({ name }) => name === rootAgent);
  if (!root || agents.length <= MOST_IN_VIEW) return FIT;
  return { ...FIT, maxZoom: 0.8, nodes: [{ id: root.name }] };
}

function nodesOf(agents: readonly Agent[], rootAgent: string): readonly AgentNodeData[] {
  const places = layout(agents);
  return agents.map((agent) => {
    const { name, tools, toolsets } = agent;
    const count = tools.length + toolsets.length;
    const isRoot = name === rootAgent;
    const failed = agent.validationErrors.some(doesNotLoad);
    const toolCount = count > 0 ? `${count} ${count === 1 ? "tool" : "tools"}` : "No tools";
    const summary = failed ? ["Does not load"] : [isRoot ? "Root agent" : "", toolCount];
    return {
      id: name,
      type: "agent",
      position: places.get(name) ?? { x: 0, y: 0 },
      ariaLabel: `Agent ${resourceTitle(agent)}`,
      data: {
        title: resourceTitle(agent),
        summary: summary.filter(Boolean).join(" · "),
        isRoot,
        failed,
        isTarget: false,
      },
    };
  });
}

function edgesOf(agents: readonly Agent[]): Edge[] {
  const titles = new Map(agents.map((agent) => [agent.name, resourceTitle(agent)]));
  return agents.flatMap(({ name, childAgents }) =>
    childAgents.map((child) => ({
      id: `${name}>${child}`,
      source: name,
      target: child,
      selectable: false,
      ariaLabel: `${titles.get(child) ?? child} is a child of ${titles.get(name)}`,
    })),
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default AgentGraph;

/** What a node of the graph shows. */
type AgentNodeData = Node<
  {
    readonly title: string;
    readonly summary: string;
    readonly isRoot: boolean;
    /** Whether code of the agent does not load. */
    readonly failed: boolean;
    readonly isTarget: boolean;
  },
  "agent"
>;

/** One agent of the graph. */
function AgentNode({ data: { title, summary, isRoot, failed, isTarget } }: NodeProps<AgentNodeData>) {
  return (
    <div className={`graph-node${isRoot ? " root" : ""}${failed ? " failed" : ""}${isTarget ? " target" : ""}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {title}
      <small>{summary}</small>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

/** Pixels of a node's box. */
const NODE = { width: 190, height: 64 } as const;

/** The upper left corner of a node, in pixels. */
interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Places for all agents: parents above their children, few crossings. */
function layout(agents: readonly Agent[]): ReadonlyMap<string, Corner> {
  const graph = new dagre.graphlib.Graph().setGraph({ rankdir: "TB", nodesep: 36, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of agents) graph.setNode(name, { ...NODE });
  const known = new Set(agents.map(({ name }) => name));
  for (const { name, childAgents } of agents)
    for (const child of childAgents) if (known.has(child)) graph.setEdge(name, child);
  dagre.layout(graph);
  return new Map(
    agents.map(({ name }) => {
      const { x, y } = graph.node(name);
      return [name, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}
