const SEPARATOR = "~";
const ID = /^[a-zA-Z0-9][a-zA-Z0-9-_]{4,62}$/;

/** Ids of sessions that began on this page: there is nothing of them to be read from the server yet. */
const begun = new Set<string>();

/** A new session's id. */
export function newSessionId(): string {
  const id = crypto.randomUUID?.() ?? `console-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  begun.add(id);
  return id;
}

/** Marks a session as left: when it is opened again, its turns are read from the server. */
export function leaveSession(id: string): void {
  begun.delete(id);
}

/** Whether a session must be read from the server before it continues. */
export function isStored(id: string): boolean {
  return !begun.has(id);
}

/** Sessions on one page: more would have no room. */
export const MAX_SESSIONS = 4;

/** The sessions of an address, in order; what is no id is left out, and so is what has no room. */
export function parseSessionIds(text: string | undefined): readonly string[] {
  return [...new Set((text ?? "").split(SEPARATOR).filter((id) => ID.test(id)))].slice(0, MAX_SESSIONS);
}

/** The same as an address has it. */
export function formatSessionIds(ids: readonly string[]): string {
  return ids.join(SEPARATOR);
}
