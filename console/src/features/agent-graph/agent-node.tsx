import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import "../../styles/edit/agent-graph.css";

/** What a node of the graph shows. */
export type AgentNodeData = Node<
  { readonly title: string; readonly told: string; readonly isRoot: boolean; readonly isTarget: boolean },
  "agent"
>;

/** One agent of the graph. */
export function AgentNode({ data: { title, told, isRoot, isTarget } }: NodeProps<AgentNodeData>) {
  return (
    <div className={`graph-node${isRoot ? " root" : ""}${isTarget ? " target" : ""}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {title}
      <small>{told}</small>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}
