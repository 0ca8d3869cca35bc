import type { JsonObject } from "#base";

/** `read` changes nothing, `run` calls agents, models or tools, `edit` changes stored data. */
export type ToolKind = "read" | "edit" | "run";

const READ = /^(list|get|retrieve|wait)_/;
const RUN = /^(run|execute|test|query)_|^chat$/;

/** The kind of a tool, by its verb. */
export function kindOf(name: string): ToolKind {
  if (READ.test(name)) return "read";
  return RUN.test(name) ? "run" : "edit";
}

/** Hosted tools that edit and are not marked as destructive: those of evaluations except deletions, and exports. */
const NOT_DESTRUCTIVE = /evaluation|^start_export_app$/;

/** The annotations of a hosted tool, the same four that the hosted server sends (MCP-4). */
export function hostedAnnotations(name: string): JsonObject {
  const reads = kindOf(name) === "read";
  return toolAnnotations(reads, !reads && (name.startsWith("delete_") || !NOT_DESTRUCTIVE.test(name)));
}

/** The annotations of a tool that only this server has. */
export function ownAnnotations(name: string): JsonObject {
  const kind = kindOf(name);
  const removes = /^(delete|batch_delete|cancel|import|update|set)_/.test(name);
  return { ...toolAnnotations(kind === "read", removes), openWorldHint: kind === "run" };
}

function toolAnnotations(reads: boolean, destroys: boolean): JsonObject {
  return { readOnlyHint: reads, destructiveHint: destroys, idempotentHint: reads, openWorldHint: false };
}
