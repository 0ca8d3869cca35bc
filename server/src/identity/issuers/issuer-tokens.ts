import type { JWTVerifyGetKey } from "jose";
import type { Caller, Clock, Egress, Logger } from "#base";
import { invalidToken } from "../refusals.ts";
import { readJwt } from "../tokens/read-jwt.ts";
import type { TokenVerifier } from "../tokens/token-verifier.ts";
import { verifyJwt } from "../tokens/verify-jwt.ts";
import type { Issuer } from "./contract.ts";
import { createKeySet } from "./key-set.ts";
import { callerOf } from "./principals.ts";

/** Tokens of other systems. */
export interface IssuerTokens extends TokenVerifier {
  /** The same, for a token that may be exchanged: its audience may also be one of those that `isAudience` accepts. */
  verifySubject(token: string, isAudience: (audience: string) => boolean): Promise<Caller>;
}

interface IssuerTokensDeps {
  readonly issuers: readonly Issuer[];
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the scopes of their tokens limit callers. */
  readonly readScopes: boolean;
  /** Whether an audience means this server. */
  readonly isApi: (audience: string) => boolean;
}

/** Signatures with a public key. None with a shared secret: a public key would be one. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Verifies the JWTs of the configured issuers, each with its own keys (AUTH-13). */
export function createIssuerTokens({ issuers, readScopes, isApi, ...deps }: IssuerTokensDeps): IssuerTokens {
  const known = new Map(issuers.map((issuer) => [issuer.issuer, { issuer, key: createKeySet(issuer, deps) }]));

  async function verify(token: string, isAudience: (audience: string) => boolean): Promise<Caller | undefined> {
    const jwt = readJwt(token);
    if (!jwt) return undefined;
    const { iss } = jwt.claims;
    const found = known.get(iss ?? "");
    if (!found) throw unknownIssuer(iss, issuers);
    return verified(token, found.issuer, found.key, isAudience);
  }

  async function verified(
    token: string,
    issuer: Issuer,
    key: JWTVerifyGetKey,
    isAudience: (audience: string) => boolean,
  ): Promise<Caller> {
    const claims = await verifyJwt(token, key, { algorithms: ALGORITHMS, issuer: issuer.issuer }, deps.clock);
    const caller = callerOf(issuer, claims, readScopes);
    const { audience = [] } = caller;
    if (audience.some((name) => issuer.audiences.includes(name) || isAudience(name))) return caller;
    throw invalidToken(
      audience.length === 0
        ? "The token lacks the claim 'aud'."
        : `The token is for '${audience.join("', '")}', which is not this server. The operator can add it to the audiences of the issuer '${issuer.name}'.`,
    );
  }

  return {
    verify: (token) => verify(token, isApi),
    verifySubject: async (token, isAudience) => {
      const caller = await verify(token, (audience) => isApi(audience) || isAudience(audience));
      if (caller) return caller;
      throw invalidToken("The token is not a JWT.");
    },
  };
}

function unknownIssuer(iss: string | undefined, issuers: readonly Issuer[]): Error {
  if (iss === undefined) return invalidToken("The token lacks the claim 'iss'.");
  const names = issuers.map(({ issuer }) => `'${issuer}'`).join(", ");
  return invalidToken(
    `The issuer '${iss.slice(0, 200)}' is not one of this server${names ? `; the issuers are ${names}` : ", which has no issuers"}.`,
  );
}
