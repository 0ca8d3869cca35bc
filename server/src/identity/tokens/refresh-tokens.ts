import { randomBytes } from "node:crypto";
import { ANONYMOUS, type Caller, type Clock } from "#base";
import { type Credentials, digestOf, hasSecret } from "../credentials/credentials.ts";
import { invalidToken } from "../refusals.ts";

/** Lifetime of a refresh token, milliseconds: ninety days. */
const LIFETIME_MS = 90 * 24 * 3_600_000;

/** Refresh tokens of people, for programs that act for them (AUTH-6). */
export interface RefreshTokens {
  /** A token for a person who is signed in. `displayName` says in lists what it is for. */
  issue(person: Caller, displayName: string): Promise<{ readonly token: string; readonly expiresAt: number }>;
  /** Throws UNAUTHENTICATED. */
  verify(token: string): Promise<Caller>;
}

const FORM = /^fdrt1\.(?<id>[0-9a-f]{32})\.[\w-]{43}$/;

export function createRefreshTokens(credentials: Credentials, clock: Clock): RefreshTokens {
  return {
    async issue({ principal, kind, groups, claims }, displayName) {
      const id = randomBytes(16).toString("hex");
      const token = `fdrt1.${id}.${randomBytes(32).toString("base64url")}`;
      const expiresAt = Math.floor(clock.now() + LIFETIME_MS);
      await credentials.add({
        ...{ id, kind: "refresh-token", parent: principal, principal, secretDigest: digestOf(token) },
        ...{ expireTime: expiresAt, displayName, createdBy: principal, identity: { kind, groups, claims } },
      });
      return { token, expiresAt };
    },
    async verify(token) {
      const { id } = FORM.exec(token)?.groups ?? {};
      const found = id === undefined ? undefined : await credentials.find(id);
      if (found?.kind !== "refresh-token" || !found.identity || !hasSecret(found, token))
        throw invalidToken("The refresh token was revoked or has expired. Sign in again.");
      const { kind, groups, claims } = found.identity;
      credentials.used(found.id);
      return { ...ANONYMOUS, kind, principal: found.principal, credentialId: found.id, groups, claims };
    },
  };
}
