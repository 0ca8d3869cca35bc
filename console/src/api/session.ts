import { useSyncExternalStore } from "react";
import { accessState } from "./access-token.ts";

/** Whether the server asks who calls, who is signed in in this browser, and how people sign in. */
interface Session {
  readonly authentication: "off" | "required";
  /** Name of the issuer at which people sign in; absent: they use one-time links. */
  readonly signIn?: { readonly issuer?: string };
  readonly person?: {
    readonly kind: string;
    /** As a member of policies is written; "" for the operator. */
    readonly principal: string;
    readonly name?: string;
  };
  readonly expireTime?: string;
  /** What requests that may change something send besides the cookie. */
  readonly csrfToken?: string;
}

/** Where somebody whose session has ended signs in, in another tab, so that nothing is lost in this one. */
export const SIGN_IN_AGAIN = "/console/sign-in?return=/console/account";

const OPEN: Session = { authentication: "off" };
const listeners = new Set<() => void>();
let session: Session = OPEN;
let reading: Promise<Session> | undefined;

/** The session, read once, and again after a failure to read it. */
export function readSession(): Promise<Session> {
  reading ??= fetchSession();
  return reading;
}

/** The session as it was read last. */
export function currentSession(): Session {
  return session;
}

/** Reads the session again, e.g. after a sign-in in another tab. */
export function renewSession(): Promise<Session> {
  reading = fetchSession();
  return reading;
}

async function fetchSession(): Promise<Session> {
  try {
    const answer = await fetch("/auth/session");
    session = answer.ok ? ((await answer.json()) as Session) : OPEN;
  } catch {
    // The server does not respond: a notice on every page says so, and the next call asks again.
    reading = undefined;
  }
  for (const listener of listeners) listener();
  return session;
}

/** The headers with which calls of this tab show who makes them. */
export async function credentialHeaders(): Promise<Readonly<Record<string, string>>> {
  const { csrfToken } = await readSession();
  const { token } = accessState();
  if (token) return { authorization: `Bearer ${token}` };
  return csrfToken ? { "x-frontdesk-csrf": csrfToken } : {};
}

/** Whether nobody is known whom the server would let call. */
export function mustSignIn({ authentication, person }: Session): boolean {
  return authentication === "required" && !person && accessState().token === "";
}

/** The session as it was read last; rerenders when it changes. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
