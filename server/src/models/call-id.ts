import type { Ids } from "#base";

const PREFIX = "adk-";

/** An id for a function call that came without one; the hosted product's look the same (ces-runtime 0.3). */
export function newCallId(ids: Ids): string {
  return PREFIX + ids.uuid();
}

/** Whether an id is one of ours, which no provider knows. */
export function isOwnCallId(id: string): boolean {
  return id.startsWith(PREFIX);
}
