import type { JsonObject } from "#base";

/** What a tool does to the world: `read` changes nothing, `run` talks to agents, models or tools, `edit` changes what is stored. */
export type ToolKind = "read" | "edit" | "run";

const READ = /^(list|get|retrieve|wait)_/;
const RUN = /^(run|execute|test|query)_|^chat$/;

/** The kind of a tool, by its verb. */
export function kindOf(name: string): ToolKind {
  if (READ.test(name)) return "read";
  return RUN.test(name) ? "run" : "edit";
}

/** Hosted tools that edit and yet are not marked as destructive: everything about evaluations but the deletions, and exports. */
const GENTLE = /evaluation|^start_export_app$/;

/**
 * The hints of a hosted tool, all four as the hosted server sends them (MCP-4): its deletions, and its creations and
 * changes of apps, are destructive.
 */
export function hostedHints(name: string): JsonObject {
  const reads = kindOf(name) === "read";
  return hints(reads, !reads && (name.startsWith("delete_") || !GENTLE.test(name)));
}

/** The hints of a tool that the hosted server does not have: accurate ones. */
export function ownHints(name: string): JsonObject {
  const kind = kindOf(name);
  const removes = /^(delete|batch_delete|cancel|import|update|set)_/.test(name);
  return { ...hints(kind === "read", removes), openWorldHint: kind === "run" };
}

function hints(reads: boolean, destroys: boolean): JsonObject {
  return { readOnlyHint: reads, destructiveHint: destroys, idempotentHint: reads, openWorldHint: false };
}
