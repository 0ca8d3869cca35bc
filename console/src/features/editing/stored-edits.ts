import { create, type DescMessage, fromJsonString, type Message, toJsonString } from "@bufbuild/protobuf";
import { editableMembers, type Member, readMember, withMember } from "./members.ts";

/** Unsaved changes as this browser stores them: the base version and the changed properties. */
interface StoredEdits {
  readonly etag: string;
  readonly at: number;
  readonly members: readonly string[];
  readonly json: string;
}

const PREFIX = "frontdesk.draft.";

/** Keeps changes over reloads. Answers false where the browser has no room for them. */
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
  const stored: StoredEdits = {
    etag,
    at: Date.now(),
    members: changed.map(({ localName }) => localName),
    json: toJsonString(desc, only),
  };
  try {
    localStorage.setItem(PREFIX + message.name, JSON.stringify(stored));
    return true;
  } catch {
    return false; // the browser's quota
  }
}

/** The stored changes of a resource, if there are any that can be read. */
export function readEdits(name: string): StoredEdits | undefined {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the stored changes. */
export function clearEdits(name: string): void {
  localStorage.removeItem(PREFIX + name);
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
