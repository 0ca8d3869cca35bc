/** A message of the chat as the tab stores it, so that it survives navigation within the site. */
interface StoredLine {
  readonly side: "user" | "agent";
  readonly text: string;
}

/** The session of this tab with one deployment. */
export interface StoredSession {
  readonly id: string;
  readonly lines: readonly StoredLine[];
  readonly open: boolean;
  /** A turn of it has ended well, so the server has the page's variables. */
  readonly begun: boolean;
  /** The agent has ended it. */
  readonly ended: boolean;
  /** What the person said, while the answers are on their way. */
  readonly unanswered: readonly string[];
}

/** More would slow the page down; older lines are with the server. */
const MOST_LINES = 100;

/** The session that this tab had, or a new one. */
export function readSession(deployment: string): StoredSession {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(deployment)) ?? "");
    const { id, lines, unanswered = [] } = stored;
    // One text, as an earlier release stored it, is a list of one.
    if (typeof id === "string" && Array.isArray(lines))
      return { ...newSession(), ...stored, unanswered: [unanswered].flat() };
  } catch {
    // Nothing was stored, or the page may store nothing.
  }
  return newSession();
}

/** A session without messages. */
export function newSession(): StoredSession {
  // Not `randomUUID`, which pages without TLS do not have.
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return { id: `web-${random.join("")}`, lines: [], open: false, begun: false, ended: false, unanswered: [] };
}

/** Keeps the session for as long as the tab is open; where the page may store nothing, until it is left. */
export function storeSession(deployment: string, session: StoredSession): void {
  try {
    sessionStorage.setItem(keyOf(deployment), JSON.stringify({ ...session, lines: session.lines.slice(-MOST_LINES) }));
  } catch {
    // A page without storage forgets the chat when it is left.
  }
}

function keyOf(deployment: string): string {
  return `frontdesk.chat.${deployment}`;
}
