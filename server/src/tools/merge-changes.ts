import type { JsonObject } from "#base";
import type { ToolStateChange } from "./contract.ts";

/** No variable changed. */
export const NO_CHANGE: ToolStateChange = Object.freeze({ set: Object.freeze({}), removed: Object.freeze([]) });

/** Several changes as one: by key, the last writer wins (ces-runtime 13.1). */
export function mergeChanges(changes: readonly ToolStateChange[]): ToolStateChange {
  if (changes.length <= 1) return changes[0] ?? NO_CHANGE;
  const set: JsonObject = {};
  const removed = new Set<string>();
  for (const change of changes) {
    for (const name of change.removed) {
      delete set[name];
      removed.add(name);
    }
    for (const [name, value] of Object.entries(change.set)) {
      set[name] = value;
      removed.delete(name);
    }
  }
  return { set, removed: [...removed] };
}
