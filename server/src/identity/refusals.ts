import { type ConnectError, unauthenticated } from "#status";

/** The sentence with which Google refuses a credential, for programs that look for it. */
const INVALID = "Request had invalid authentication credentials.";

/** Why a credential is refused: what is wrong with it, for the person who has to mend it. */
type Refusal = "ACCESS_TOKEN_INVALID" | "ACCESS_TOKEN_EXPIRED" | "API_KEY_INVALID" | "SESSION_EXPIRED";

/** UNAUTHENTICATED for a credential that is not valid (AUTH-12). `why` is a sentence without secrets. */
export function refused(reason: Refusal, why: string, metadata: Readonly<Record<string, string>> = {}): ConnectError {
  const challenge = `Bearer realm="frontdesk", error="invalid_token", error_description="${quoted(why)}"`;
  return unauthenticated(`${INVALID} ${why}`, { reason, metadata }, challenge);
}

/** UNAUTHENTICATED for a token that is not valid. */
export function invalidToken(why: string): ConnectError {
  return refused("ACCESS_TOKEN_INVALID", why);
}

/** UNAUTHENTICATED for a token that was valid once. `what` begins a sentence, e.g. `The token`. */
export function expiredToken(what: string, expiredAt: number): ConnectError {
  return refused("ACCESS_TOKEN_EXPIRED", `${what} expired at ${new Date(expiredAt).toISOString()}.`);
}

/** A text as a quoted string of a header (RFC 9110, 5.6.4), which is ASCII without quotes and backslashes. */
function quoted(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "'");
}
