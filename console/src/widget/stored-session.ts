import type { CardOutput } from "./draw-output.ts";

/** A message of the chat, or a card of an answer, as the tab stores it, so that it survives navigation within the site. */
export type StoredLine =
  /** `files`: names of those that were sent along. */
  | { readonly side: "user" | "agent"; readonly text: string; readonly files?: readonly string[] }
  | { readonly card: CardOutput };

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
  readonly unanswered: readonly Unanswered[];
}

/** A text, and the key of its turn. */
interface Unanswered {
  readonly text: string;
  readonly key: string;
}

/** More would slow the page down; older lines are with the server. */
const MOST_LINES = 100;

/** A tab stores some five million characters: larger cards, such as pictures, are shown only until the page is left. */
const LONGEST_CARD = 100_000;

/** Which chat of this page has which session. */
const holders = new Map<string, Element>();

/** Where the session of a chat is stored: two chats of one page with the same deployment have a session each, in their order on the page. */
export function storageKey(deployment: string, chat: Element): string {
  for (const [key, holder] of holders) if (holder === chat) holders.delete(key);
  for (let number = 1; ; number += 1) {
    const key = `frontdesk.chat.${deployment}${number > 1 ? ` ${number}` : ""}`;
    const other = holders.get(key);
    if (other?.isConnected) continue;
    holders.set(key, chat);
    return key;
  }
}

/** The session that is stored; undefined without one. */
export function readSession(key: string): StoredSession | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "");
    const { id, lines, unanswered = [] } = stored;
    // Earlier releases stored texts, or one.
    const kept = [unanswered].flat().map((one) => (typeof one === "string" ? { text: one, key: randomId() } : one));
    if (typeof id === "string" && Array.isArray(lines)) return { ...newSession(), ...stored, unanswered: kept };
  } catch {
    // Nothing was stored, or the page may store nothing.
  }
  return undefined;
}

/** 128 bits. Not `randomUUID`, which pages without TLS do not have. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A session without messages. */
export function newSession(): StoredSession {
  return { id: `web-${randomId()}`, lines: [], open: false, begun: false, ended: false, unanswered: [] };
}

/** Keeps the session for as long as the tab is open; where the page may store nothing, until it is left. */
export function storeSession(key: string, session: StoredSession): void {
  const lines = session.lines
    .slice(-MOST_LINES)
    .filter((line) => !("card" in line) || JSON.stringify(line.card).length <= LONGEST_CARD);
  // The words matter most where the storage of the tab is nearly full.
  const words = lines.filter((line) => !("card" in line));
  for (const kept of [lines, words]) {
    try {
      sessionStorage.setItem(key, JSON.stringify({ ...session, lines: kept }));
      return;
    } catch {
      // A page without storage forgets the chat when it is left.
    }
  }
}
