import { create, type DescMessage, fromJsonString, type Message, toJsonString } from "@bufbuild/protobuf";
import { editableMembers, type Member, readMember, withMember } from "./members.ts";

/** Unsaved changes as this browser stores them: the base version and the changed properties. */
interface StoredEdits {
  readonly etag: string;
  readonly at: number;
  readonly members: readonly string[];
  readonly json: string;
  /** Stored changes of other tabs that are part of these: their keys, and when they were stored. */
  readonly adopted?: Readonly<Record<string, number>>;
}

const PREFIX = "frontdesk.draft.";

/** Where a tab keeps its own id, which outlives a reload. */
const TAB = "frontdesk.tab";

/** Where a tab says that its page is open: a tab that begins with it is a copy of one that is, and takes an id of its own. */
const OPEN = "frontdesk.tab.open";

/** The id of this tab, once it was needed. */
let tab: string | undefined;

/** What this tab stored or took over, by key, and when it was stored. Only that is its to delete: another tab may have typed since. */
const own = new Map<string, number>();

/** Keeps changes over reloads, for each tab by itself. Answers false where the browser has no room for them. */
export function storeEdits(
  desc: DescMessage,
  etag: string,
  changed: readonly Member[],
  message: Message & { readonly name: string },
): boolean {
  const only = changed.reduce<Message>(
    (kept, member) => withMember(kept, member, readMember(message, member)),
    create(desc),
  );
  const members = changed.map(({ localName }) => localName);
  return storeText(message.name, etag, members, () => toJsonString(desc, only));
}

/** Keeps changes of named members as the text that `write` makes of them, likewise. */
export function storeText(name: string, etag: string, members: readonly string[], write: () => string): boolean {
  try {
    const key = keyOfTab(name);
    const json = write();
    const before = readKey(key);
    // What did not change keeps its time: by that, other tabs know which changes are the newest.
    if (before && before.at === own.get(key) && before.json === json && before.etag === etag) return true;
    const adopted = Object.fromEntries([...own].filter(([other]) => other !== key && isOf(name, other)));
    const stored: StoredEdits = { etag, at: Date.now(), members, json, adopted };
    localStorage.setItem(key, JSON.stringify(stored));
    own.set(key, stored.at);
    return true;
  } catch {
    return false; // the browser's quota
  }
}

/** The stored changes of a resource, if there are any that can be read: those of this tab, else the newest of another one. */
export function readEdits(name: string): StoredEdits | undefined {
  try {
    const found = keysOf(name).flatMap((key) => {
      const stored = readKey(key);
      return stored ? [{ key, stored }] : [];
    });
    found.sort((left, right) => right.stored.at - left.stored.at);
    const mine = keyOfTab(name);
    const chosen = found.find(({ key }) => key === mine) ?? found[0];
    if (!chosen) return undefined;
    for (const [key, at] of Object.entries(chosen.stored.adopted ?? {})) own.set(key, at);
    own.set(chosen.key, chosen.stored.at);
    return chosen.stored;
  } catch {
    return undefined;
  }
}

/** Deletes the stored changes of this tab, and those of other tabs that it took over. What another tab typed since stays. */
export function clearEdits(name: string): void {
  for (const key of keysOf(name)) {
    if (own.has(key) && readKey(key)?.at === own.get(key)) localStorage.removeItem(key);
    own.delete(key);
  }
}

function readKey(key: string): StoredEdits | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** The keys of what all tabs stored of a resource; one without a tab is of an earlier release. */
function keysOf(name: string): readonly string[] {
  return Object.keys(localStorage).filter((key) => isOf(name, key));
}

function isOf(name: string, key: string): boolean {
  return key === PREFIX + name || key.startsWith(`${PREFIX}${name}#`);
}

function keyOfTab(name: string): string {
  tab ??= beginTab();
  // Somebody may have emptied the storage of the browser meanwhile.
  sessionStorage.setItem(TAB, tab);
  return `${PREFIX}${name}#${tab}`;
}

/** The id that the tab had before a reload, or a new one. A duplicated tab begins with what the other one stored for itself. */
function beginTab(): string {
  const before = sessionStorage.getItem(OPEN) === null ? sessionStorage.getItem(TAB) : null;
  const id = before ?? Array.from(crypto.getRandomValues(new Uint32Array(2))).join("-");
  const open = () => sessionStorage.setItem(OPEN, "");
  open();
  window.addEventListener("pageshow", open);
  window.addEventListener("pagehide", () => sessionStorage.removeItem(OPEN));
  return id;
}

/** A resource with its stored changes applied; undefined when they cannot be read (another version of the console). */
export function applyEdits<Kind extends Message>(
  desc: DescMessage,
  resource: Kind,
  stored: StoredEdits,
): Kind | undefined {
  try {
    const only = fromJsonString(desc, stored.json);
    return editableMembers(desc)
      .filter(({ localName }) => stored.members.includes(localName))
      .reduce<Kind>((merged, member) => withMember(merged, member, readMember(only, member)), resource);
  } catch {
    return undefined;
  }
}
