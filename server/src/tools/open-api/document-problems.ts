import { createPauses, type JsonObject } from "#base";
import { type ListedOperation, MAX_OPERATIONS, type OpenApiDocument } from "./documents.ts";
import { referenceProblem } from "./references.ts";
import { baseUrl, serverUrlOf } from "./server-url.ts";
import { isSessionExpression } from "./session-context.ts";

/** Problems of one kind that are listed; the rest is counted. */
const MAX_LISTED = 10;
/** Limit of visited objects of a document. */
const MAX_NODES = 300_000;
/** Values visited before the time is looked at: less than a millisecond. */
const BATCH = 1_000;

/** Validation errors of a document, one sentence each without a full stop. `url` is the field of the tool or toolset. */
export async function documentProblems(
  { root, operations }: Extract<OpenApiDocument, { kind: "document" }>,
  url: string,
): Promise<readonly string[]> {
  return [
    ...(operations.length === 0 ? ["open_api_schema: it has no operations"] : []),
    ...(operations.length >= MAX_OPERATIONS
      ? [`open_api_schema: only its first ${MAX_OPERATIONS} operations are used`]
      : []),
    ...atMost(await nodeProblems(root)).map((problem) => `open_api_schema: ${problem}`),
    ...serverProblems(root, url),
  ];
}

/** Operations that a toolset cannot offer. */
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
 * Unresolvable references and unknown annotations of a document, one sentence each without a full stop. Cached for each document.
 * Other work runs while a large document is visited.
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
  // The set grows during the walk: document order without recursion, and what aliases repeat once.
  const open = new Set<object>([root]);
  const pause = createPauses();
  let visited = 0;
  for (const node of open) {
    for (const key in node) {
      if (++visited % BATCH === 0) await pause();
      const value = (node as JsonObject)[key];
      if (typeof value === "object" && value !== null && open.size < MAX_NODES) open.add(value);
      if (typeof value !== "string") continue;
      if (key === "$ref" && !references.has(value)) {
        references.add(value);
        const problem = referenceProblem(root, value);
        if (problem) problems.add(`the $ref ${problem}`);
      }
      if (key === "x-ces-session-context" && !isSessionExpression(value))
        problems.add(`x-ces-session-context '${value.slice(0, 100)}' is not a value of a session`);
    }
  }
  return [...problems];
}

function atMost(problems: readonly string[]): readonly string[] {
  if (problems.length <= MAX_LISTED) return problems;
  return [...problems.slice(0, MAX_LISTED), `and ${problems.length - MAX_LISTED} more of the kind`];
}
