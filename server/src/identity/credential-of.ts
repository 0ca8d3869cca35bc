import { invalidToken } from "./refusals.ts";
import { cookiesOf } from "./sessions/cookies.ts";

/** The credential that a request shows. */
export type ShownCredential =
  | { readonly kind: "bearer" | "api-key" | "session"; readonly text: string }
  | { readonly kind: "none" };

/** Longest credential, characters. Nobody's token has half of it, and longer ones are not worth a look. */
const MAX_LENGTH = 16 * 1024;

/** Cookie of the console's sessions. */
export const SESSION_COOKIE = "frontdesk_session";

const NONE: ShownCredential = { kind: "none" };

/**
 * The one credential that decides: a bearer token, else an API key, else the session of a browser. Programs that send several mean the
 * first. Throws UNAUTHENTICATED for a header that has no credential.
 */
export function credentialOf(headers: ReadonlyMap<string, string>): ShownCredential {
  const authorization = headers.get("authorization");
  if (authorization !== undefined) return checked({ kind: "bearer", text: tokenOf(authorization) });
  const key = headers.get("x-goog-api-key");
  if (key !== undefined) return checked({ kind: "api-key", text: key });
  const session = cookiesOf(headers.get("cookie")).get(SESSION_COOKIE);
  return session === undefined ? NONE : checked({ kind: "session", text: session });
}

function tokenOf(authorization: string): string {
  const [scheme = "", ...rest] = authorization.split(" ");
  if (scheme.toLowerCase() !== "bearer")
    throw invalidToken(`The scheme '${scheme.slice(0, 20)}' is not supported: send 'Authorization: Bearer …'.`);
  return rest.join(" ").trim();
}

function checked(credential: Exclude<ShownCredential, { kind: "none" }>): ShownCredential {
  const { length } = credential.text;
  if (length > MAX_LENGTH)
    throw invalidToken(`The credential has ${length} characters; the longest that is read has ${MAX_LENGTH}.`);
  if (length === 0) throw invalidToken("The credential is empty.");
  return credential;
}
