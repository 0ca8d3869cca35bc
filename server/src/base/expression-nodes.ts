/** What is used of the nodes of a parsed expression (`ASTNode` of cel-js). */
export interface ExpressionNode {
  readonly op: string;
  readonly args: unknown;
  readonly meta?: { readonly alternate?: unknown; readonly macro?: unknown };
}

/** Every node of a parsed expression, those that macros made included. */
export function* nodesOf(root: unknown): Generator<ExpressionNode> {
  const seen = new Set<object>();
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isNode(value)) {
      yield value;
      waiting.push(value.args, value.meta?.alternate, value.meta?.macro);
    } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      waiting.push(...Object.values(value));
    }
  }
}

function isNode(value: object): value is ExpressionNode {
  return "op" in value && typeof value.op === "string" && "meta" in value;
}
