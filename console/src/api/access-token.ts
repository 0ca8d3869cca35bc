/** Who this tab is for the server, and whether the server wants to know better. */
export interface Access {
  /** Bearer token that goes along with every call; "" = none. */
  readonly token: string;
  /** What the server said when it last refused this token, or having none; undefined while it is content. */
  readonly refusal: string | undefined;
}

const KEY = "frontdesk.token";
const listeners = new Set<() => void>();
let access: Access = { token: stored(), refusal: undefined };

/** The same object until something changes. */
export function readAccess(): Access {
  return access;
}

/** Hears of changes until the returned function is called. */
export function onAccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a token for as long as the tab is open: in its session storage, which other tabs and later visits do not see. "" forgets it. */
export function keepToken(token: string): void {
  change({ token, refusal: undefined });
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
}

/** Notes that the server did not take `token`. What a call said that began before the token was changed counts no more. */
export function noteRefusal(token: string, refusal: string): void {
  if (token === access.token && access.refusal === undefined) change({ token, refusal });
}

/** What is wrong with a token as it was typed; undefined when it can be sent. Headers carry printable ASCII only. */
export function tokenProblem(token: string): string | undefined {
  return /^[\x21-\x7e]*$/.test(token) ? undefined : "A token has no spaces, and no letters beyond plain ASCII.";
}

function change(next: Access): void {
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
