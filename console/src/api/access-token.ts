import { useSyncExternalStore } from "react";

/** The access token of this tab, and whether the server rejected it. */
interface AccessState {
  /** Bearer token that goes along with every call; "" = none. */
  readonly token: string;
  /** Message of the server when it rejected this token or its absence; undefined while it accepts it. */
  readonly rejection: string | undefined;
}

const KEY = "frontdesk.token";
const listeners = new Set<() => void>();
let access: AccessState = { token: stored(), rejection: undefined };

/** The same object until something changes. */
export function accessState(): AccessState {
  return access;
}

/** Calls `listener` on each change until the returned function is called. */
function subscribeAccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores a token in the session storage of the tab, which other tabs and later visits do not see. "" removes it. */
export function storeToken(token: string): void {
  change({ token, rejection: undefined });
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
}

/** Records that the server rejected `token`. Calls that began before the token was changed are ignored. */
export function reportRejectedToken(token: string, rejection: string): void {
  if (token === access.token && access.rejection === undefined) change({ token, rejection });
}

/** The error of a token as it was typed; undefined when it can be sent. Headers carry printable ASCII only. */
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

/** The access state of this tab; rerenders when it changes. */
export function useAccessState(): AccessState {
  return useSyncExternalStore(subscribeAccess, accessState);
}
