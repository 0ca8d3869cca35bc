import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ANONYMOUS, type Caller, definedFields } from "#base";
import { permissionDenied } from "#status";
import type { StoredIdentity } from "../credentials/contract.ts";
import { type Credentials, digestOf, hasSecret } from "../credentials/credentials.ts";
import { refused } from "../refusals.ts";

/** Who signed in. */
export interface SignedIn extends StoredIdentity {
  readonly principal: string;
  /** Who vouched: `issuer:{name}`, or `link`. */
  readonly by: string;
}

/** Sessions of people in browsers (AUTH-17). */
export interface Sessions {
  /** Begins a session. The cookie is the secret. */
  begin(person: SignedIn): Promise<{ readonly cookie: string; readonly expiresAt: number }>;
  /** Throws UNAUTHENTICATED for a cookie without a session. */
  verify(cookie: string): Promise<Caller>;
  /** What requests that may change something must send beside the cookie, in `x-frontdesk-csrf`. */
  csrfToken(cookie: string): string;
  /** Throws PERMISSION_DENIED unless the token is the one of the session. */
  checkCsrf(cookie: string, token: string | undefined): void;
  end(cookie: string): Promise<void>;
}

interface SessionsDeps {
  readonly credentials: Credentials;
  readonly now: () => number;
  /** Signs CSRF tokens; 32 bytes. */
  readonly key: Uint8Array;
  /** Milliseconds until a person has to sign in again. */
  readonly lifetimeMs: number;
}

const FORM = /^(?<id>[0-9a-f]{32})\.[\w-]{43}$/;

/** Sessions are credentials, so that revoking one ends it at every server. */
export function createSessions({ credentials, now, key, lifetimeMs }: SessionsDeps): Sessions {
  const csrfToken = (cookie: string) => createHmac("sha256", key).update(`csrf ${cookie}`).digest("base64url");
  return {
    async begin({ principal, by, kind, groups, claims }) {
      const id = randomBytes(16).toString("hex");
      const cookie = `${id}.${randomBytes(32).toString("base64url")}`;
      const expiresAt = Math.floor(now() + lifetimeMs);
      await credentials.add({
        // The operator has no principal.
        ...{
          id,
          kind: "session",
          parent: principal || "operator",
          principal,
          secretDigest: digestOf(cookie),
          expireTime: expiresAt,
        },
        ...{ displayName: by, createdBy: principal, identity: { kind, groups, claims } },
      });
      return { cookie, expiresAt };
    },
    async verify(cookie) {
      const { id } = FORM.exec(cookie)?.groups ?? {};
      const session = id === undefined ? undefined : await credentials.find(id);
      if (session?.kind !== "session" || !session.identity || !hasSecret(session, cookie))
        throw refused("SESSION_EXPIRED", "The session has ended. Sign in again.");
      const { principal, expireTime, identity } = session;
      const { kind, groups, claims } = identity;
      const caller = { ...ANONYMOUS, kind, principal, credentialId: session.id, groups, claims };
      return Object.freeze({ ...caller, ...definedFields({ expiresAt: expireTime }) });
    },
    csrfToken,
    checkCsrf(cookie, token = "") {
      const [given, expected] = [Buffer.from(token), Buffer.from(csrfToken(cookie))];
      if (given.length === expected.length && timingSafeEqual(given, expected)) return;
      throw permissionDenied(
        "A request with the cookie of a session must send the session's token in the header x-frontdesk-csrf. GET /auth/session returns it.",
        { reason: "CSRF_TOKEN_INVALID" },
      );
    },
    async end(cookie) {
      const { id } = FORM.exec(cookie)?.groups ?? {};
      const session = id === undefined ? undefined : await credentials.find(id);
      if (session?.kind === "session" && hasSecret(session, cookie)) await credentials.revoke(session.id);
    },
  };
}
