import { createPublicKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ANONYMOUS, type Caller, type Clock, definedFields } from "#base";
import type { Credential } from "../credentials/contract.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { accountPrincipal, serviceAccountOf } from "../credentials/service-accounts.ts";
import { invalidToken } from "../refusals.ts";
import { listOf, scopesOf } from "./claims.ts";
import { readJwt, type UnverifiedJwt } from "./read-jwt.ts";
import type { TokenVerifier } from "./token-verifier.ts";
import { CLOCK_SKEW_MS } from "./verify-jwt.ts";
import { verifySignedJwt } from "./verify-signed-jwt.ts";

/** JWTs that programs sign with the private key of a service account (AUTH-2). */
export interface ServiceAccountTokens extends TokenVerifier {
  /** The caller of an assertion for the token endpoint, which is no access token; undefined for a token of another form. Throws UNAUTHENTICATED. */
  verifyAssertion(token: string): Promise<AssertedCaller | undefined>;
}

/** Who signed an assertion, and what for. */
interface AssertedCaller {
  readonly caller: Caller;
  /** Id of the assertion, when it has one, and when it expires: milliseconds since the epoch. */
  readonly jti?: string;
  readonly expiresAt: number;
}

interface ServiceAccountTokensDeps {
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Whether an audience means this server's API. */
  readonly isApi: (audience: string) => boolean;
  /** Whether an audience means this server's token endpoint. */
  readonly isTokenEndpoint: (audience: string) => boolean;
}

/** Longest lifetime of a token that a program signs by itself, milliseconds. */
const MAX_LIFETIME_MS = 3_600_000;

/** Public keys that were imported: importing one costs more than verifying with it. */
const MAX_KEYS = 1_000;

/** Verifies with the public keys of the credentials, which stay imported. */
export function createServiceAccountTokens(deps: ServiceAccountTokensDeps): ServiceAccountTokens {
  const { credentials, clock, isApi, isTokenEndpoint } = deps;
  const keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

  async function signerOf({ header: { kid }, claims: { iss, sub } }: UnverifiedJwt): Promise<Credential> {
    if (sub !== undefined && sub !== iss)
      throw invalidToken("A service account of this server cannot act for another account: 'sub' must be 'iss'.");
    const credential = kid === undefined ? undefined : await credentials.find(kid);
    if (credential?.kind === "service-account-key" && credential.principal === accountPrincipal(String(iss)))
      return credential;
    throw invalidToken(
      `The service account ${iss} has no key ${kid ?? "without an id"} here: it was revoked, has expired, or is of another server.`,
    );
  }

  function keyOf({ id, publicKey }: Credential): KeyObject {
    const known = keys.get(id);
    if (known) return known;
    if (!publicKey) throw new Error(`the service account key ${id} was stored without its public key`);
    const key = createPublicKey({ key: publicKey, format: "jwk" });
    keys.set(id, key);
    return key;
  }

  async function verified(token: string, jwt: UnverifiedJwt) {
    const credential = await signerOf(jwt);
    const claims = verifySignedJwt(token, jwt, keyOf(credential), clock);
    const expiresAt = 1_000 * Number(claims.exp);
    if (expiresAt > clock.now() + MAX_LIFETIME_MS + CLOCK_SKEW_MS)
      throw invalidToken("The token is valid for longer than an hour, which a token that a program signs may not be.");
    return { credential, claims, expiresAt };
  }

  return {
    async verify(token) {
      const jwt = jwtOfAccount(token);
      if (!jwt) return undefined;
      const { credential, claims, expiresAt } = await verified(token, jwt);
      const audience = listOf(claims.aud);
      const scopes = scopesOf(claims.scope);
      // A scope takes the place of an audience: the API that the scope belongs to checks it.
      if (audience.length === 0 && scopes === undefined) throw invalidToken("The token has neither 'aud' nor 'scope'.");
      if (audience.length > 0 && !audience.some(isApi)) throw wrongAudience(audience);
      const until = Math.min(expiresAt, credential.expireTime ?? Number.POSITIVE_INFINITY);
      return callerOf(credential, {
        expiresAt: until,
        ...definedFields({ scopes }),
        ...(audience.length > 0 && { audience }),
      });
    },
    async verifyAssertion(token) {
      const jwt = jwtOfAccount(token);
      if (!jwt) return undefined;
      const { credential, claims, expiresAt } = await verified(token, jwt);
      const audience = listOf(claims.aud);
      if (!audience.some(isTokenEndpoint)) throw wrongAudience(audience);
      const caller = callerOf(
        credential,
        definedFields({ scopes: scopesOf(claims.scope), expiresAt: credential.expireTime }),
      );
      return { caller, expiresAt, ...definedFields({ jti: claims.jti }) };
    },
  };
}

/** Only addresses of this server's accounts: everything else is a token of another issuer. */
function jwtOfAccount(token: string): UnverifiedJwt | undefined {
  const jwt = readJwt(token);
  return jwt && serviceAccountOf(String(jwt.claims.iss)) ? jwt : undefined;
}

function callerOf({ id, principal }: Credential, limits: Pick<Caller, "scopes" | "audience" | "expiresAt">): Caller {
  return Object.freeze({ ...ANONYMOUS, kind: "serviceAccount", principal, credentialId: id, ...limits } as const);
}

function wrongAudience(audience: readonly string[]): Error {
  return invalidToken(`The token is for '${audience.join("', '")}', which is not this server.`);
}
