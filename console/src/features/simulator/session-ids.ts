const SEPARATOR = "~";
const ID = /^[a-zA-Z0-9][a-zA-Z0-9-_]{4,62}$/;

const KEY = "frontdesk.unspoken-sessions";
/** Sessions that the tab remembers: the newest. */
const MOST = 20;

/** Ids of sessions in which nobody spoke yet: the server has nothing of them. A tab keeps them over a reload. */
const unspoken = new Set<string>(storedIds());

/** A new session's id. The server knows it from the first turn on. */
export function newSessionId(): string {
  const id = crypto.randomUUID?.() ?? `console-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  unspoken.add(id);
  storeIds();
  return id;
}

/** Marks a session as one in which somebody spoke: when it is opened again, its turns are read from the server. */
export function markSpoken(id: string): void {
  if (unspoken.delete(id)) storeIds();
}

/** Whether a session must be read from the server before it continues. */
export function isStored(id: string): boolean {
  return !unspoken.has(id);
}

function storedIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}

function storeIds(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...unspoken].slice(-MOST)));
  } catch {
    // Without room, a reload asks the server, which has nothing of them.
  }
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
