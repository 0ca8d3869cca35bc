import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "#base";
import { type ListedOperation, MOST_OPERATIONS, type OpenApiDocument } from "./documents.ts";
import { referenceProblem } from "./references.ts";
import { baseUrl, serverUrlOf } from "./server-url.ts";
import { isSessionExpression } from "./session-context.ts";

/** Problems of one kind that are told; the rest is counted. */
const MOST_TOLD = 10;
/** Objects of a document that are looked at. */
const MOST_NODES = 300_000;
/** Objects that are looked at in one go: some milliseconds. */
const STRETCH = 10_000;

/** What keeps a document's operations from being called, or changes how: sentences without a full stop. */
export async function documentProblems(
  { root, operations }: Extract<OpenApiDocument, { kind: "document" }>,
  url: string,
): Promise<readonly string[]> {
  return [
    ...(operations.length === 0 ? ["open_api_schema: it has no operations"] : []),
    ...(operations.length >= MOST_OPERATIONS
      ? [`open_api_schema: only its first ${MOST_OPERATIONS} operations are used`]
      : []),
    ...atMost(await nodeProblems(root)).map((problem) => `open_api_schema: ${problem}`),
    ...serverProblems(root, url),
  ];
}

/** Operations that no toolset can offer. */
export function operationProblems(operations: readonly ListedOperation[]): readonly string[] {
  const seen = new Map<string, string>();
  const problems = operations.flatMap(({ id, method, path }) => {
    const title = `${method.toUpperCase()} ${path}`;
    if (id === "") return [`${title} has no operationId, so it is not offered`];
    const first = seen.get(id);
    if (first === undefined) seen.set(id, title);
    return first === undefined ? [] : [`${title} has the operationId '${id}' of ${first}, so it is not offered`];
  });
  return atMost(problems).map((problem) => `open_api_schema: ${problem}`);
}

function serverProblems(root: JsonObject, url: string): readonly string[] {
  const found = baseUrl(serverUrlOf([root.servers]), url);
  return "problem" in found ? [`open_api_schema: ${found.problem}, so requests have nowhere to go`] : [];
}

/**
 * References and annotations of a document that lead nowhere: sentences without a full stop. Large documents are looked through in
 * stretches, so that others are served in between.
 */
function nodeProblems(root: JsonObject): Promise<readonly string[]> {
  const known = problemsByRoot.get(root) ?? findNodeProblems(root);
  problemsByRoot.set(root, known);
  return known;
}

const problemsByRoot = new WeakMap<JsonObject, Promise<readonly string[]>>();

async function findNodeProblems(root: JsonObject): Promise<readonly string[]> {
  const problems = new Set<string>();
  const references = new Set<string>();
  const seen = new Set<object>();
  const open: object[] = [root];
  // The list grows while it is walked: in the order of the document, without recursion.
  for (const node of open) {
    if (seen.has(node) || seen.size >= MOST_NODES) continue;
    seen.add(node);
    if (seen.size % STRETCH === 0) await setImmediate();
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "object" && value !== null) open.push(value);
      if (typeof value !== "string") continue;
      if (key === "$ref" && !references.has(value)) {
        references.add(value);
        const problem = referenceProblem(root, value);
        if (problem) problems.add(`the $ref ${problem}`);
      }
      if (key === "x-ces-session-context" && !isSessionExpression(value))
        problems.add(`x-ces-session-context '${value.slice(0, 100)}' is nothing that sessions know`);
    }
  }
  return [...problems];
}

function atMost(problems: readonly string[]): readonly string[] {
  if (problems.length <= MOST_TOLD) return problems;
  return [...problems.slice(0, MOST_TOLD), `and ${problems.length - MOST_TOLD} more of the kind`];
}
