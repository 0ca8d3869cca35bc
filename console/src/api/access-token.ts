import { useSyncExternalStore } from "react";

/** Who this tab is for the server, and whether the server wants to know better. */
interface AccessState {
  /** Bearer token that goes along with every call; "" = none. */
  readonly token: string;
  /** What the server said when it last refused this token, or having none; undefined while it is content. */
  readonly rejection: string | undefined;
}

const KEY = "frontdesk.token";
const listeners = new Set<() => void>();
let access: AccessState = { token: stored(), rejection: undefined };

/** The same object until something changes. */
export function accessState(): AccessState {
  return access;
}

/** Hears of changes until the returned function is called. */
function subscribeAccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a token for as long as the tab is open: in its session storage, which other tabs and later visits do not see. "" forgets it. */
export function storeToken(token: string): void {
  change({ token, rejection: undefined });
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
}

/** Notes that the server did not take `token`. What a call said that began before the token was changed counts no more. */
export function reportRejectedToken(token: string, rejection: string): void {
  if (token === access.token && access.rejection === undefined) change({ token, rejection });
}

/** What is wrong with a token as it was typed; undefined when it can be sent. Headers carry printable ASCII only. */
export function tokenError(token: string): string | undefined {
  return /^[\x21-\x7e]*$/.test(token) ? undefined : "A token has printable ASCII characters only, without spaces.";
}

function change(next: AccessState): void {
  access = next;
  for (const listener of listeners) listener();
}

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Who this tab is for the server; draws anew when that changes. */
export function useAccessState(): AccessState {
  return useSyncExternalStore(subscribeAccess, accessState);
}
