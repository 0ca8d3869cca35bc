/** A node of an engine's parse tree: any JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** Whether a part of the tree is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string property of a node; "" when it is absent. */
export function stringField(node: Node, property: string): string {
  const value = node[property];
  return typeof value === "string" ? value : "";
}

/** The child nodes, also those in lists. */
export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) yield* nodesIn(value);
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (isNode(value)) yield value;
}
