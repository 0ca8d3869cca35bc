import dagre from "@dagrejs/dagre";
import type { Agent } from "@frontdesk/protos/ces/agent";

/** Pixels of a node's box. */
export const NODE = { width: 190, height: 64 } as const;

/** Where a node stands: its upper left corner. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Places for all agents: parents above their children, few crossings. */
export function layout(agents: readonly Agent[]): ReadonlyMap<string, Position> {
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
