/** A node of the engine's serialized syntax tree: any JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** Whether a part of the tree is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text property; "" when it is absent. */
export function textOf(node: Node, property: string): string {
  const value = node[property];
  return typeof value === "string" ? value : "";
}

/** The parts of a node, lists opened. */
export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) yield* nodesIn(value);
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (isNode(value)) yield value;
}

/** A common table expression as its node lists it. */
export interface CommonTable {
  readonly name: string;
  readonly query: Node;
}

/** The common table expressions of a query node, in the order in which they are written. */
export function commonTablesOf(node: Node): readonly CommonTable[] {
  const map = isNode(node.cte_map) ? node.cte_map.map : undefined;
  if (!Array.isArray(map)) return [];
  return map.flatMap((entry: unknown) => {
    if (!isNode(entry) || !isNode(entry.value) || !isNode(entry.value.query)) return [];
    return [{ name: textOf(entry, "key").toLowerCase(), query: entry.value.query }];
  });
}
