import { randomBytes } from "node:crypto";
import { ANONYMOUS, type Caller, type Clock } from "#base";
import { type Credentials, digestOf, hasSecret } from "../credentials/credentials.ts";
import { invalidToken } from "../refusals.ts";

/** Lifetime of a refresh token, milliseconds: ninety days. */
const LIFETIME_MS = 90 * 24 * 3_600_000;

/** Refresh tokens of people, for programs that act for them (AUTH-6). */
export interface RefreshTokens {
  /** A token for a person who is signed in. `displayName` says in lists what it is for. */
  issue(person: Caller, displayName: string): Promise<{ readonly token: string; readonly id: string }>;
  /** Throws UNAUTHENTICATED. */
  verify(token: string): Promise<Caller>;
  /** Ends a token, and the access tokens that were requested with it. Nothing happens for a token that is not valid. */
  revoke(token: string): Promise<void>;
}

const FORM = /^fdrt1\.(?<id>[0-9a-f]{32})\.[\w-]{43}$/;

/** Tokens are credentials: `fdrt1.{id}.{secret}`, of which the digest is stored. */
export function createRefreshTokens(credentials: Credentials, clock: Clock): RefreshTokens {
  const find = async (token: string) => {
    const { id } = FORM.exec(token)?.groups ?? {};
    const found = id === undefined ? undefined : await credentials.find(id);
    return found?.kind === "refresh-token" && hasSecret(found, token) ? found : undefined;
  };

  return {
    async issue({ principal, kind, groups, claims }, displayName) {
      const id = randomBytes(16).toString("hex");
      const token = `fdrt1.${id}.${randomBytes(32).toString("base64url")}`;
      const expiresAt = Math.floor(clock.now() + LIFETIME_MS);
      await credentials.add({
        ...{ id, kind: "refresh-token", parent: principal, principal, secretDigest: digestOf(token) },
        ...{ expireTime: expiresAt, displayName, createdBy: principal, identity: { kind, groups, claims } },
      });
      return { token, id };
    },
    async verify(token) {
      const found = await find(token);
      if (!found?.identity) throw invalidToken("The refresh token was revoked or has expired. Sign in again.");
      const { kind, groups, claims } = found.identity;
      credentials.used(found.id);
      return { ...ANONYMOUS, kind, principal: found.principal, credentialId: found.id, groups, claims };
    },
    async revoke(token) {
      const found = await find(token);
      if (found) await credentials.revoke(found.id);
    },
  };
}
