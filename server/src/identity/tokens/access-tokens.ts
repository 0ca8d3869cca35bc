import { ANONYMOUS, type Caller, type Clock, definedFields } from "#base";
import { expiredToken, invalidToken } from "../refusals.ts";
import { createSignedClaims } from "./signed-claims.ts";
import type { TokenVerifier } from "./token-verifier.ts";

/** Longest lifetime of an access token, milliseconds: an hour, as Google's have. */
const ACCESS_TOKEN_MS = 3_600_000;

/** The tokens that the token endpoint and the metadata server issue. */
export interface AccessTokens extends TokenVerifier {
  /** A token for the caller that is valid for an hour, or as long as the caller's own credential, whichever ends first. */
  issue(caller: Caller): { readonly token: string; readonly expiresAt: number };
}

interface AccessTokensDeps {
  /** Key of the signature, 32 bytes. Whoever has it can issue tokens. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Whether the credential with which a token was requested is still valid. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
}

type Claims = Omit<Caller, "expiresAt"> & { readonly expiresAt: number };

/** Creates issuer and verifier of access tokens (AUTH-8), which are `fdat1.…`. They end with the credential that they were requested with. */
export function createAccessTokens({ key, clock, isValid }: AccessTokensDeps): AccessTokens {
  const signed = createSignedClaims<Claims>("fdat1", key);
  return {
    issue(caller) {
      const latest = caller.expiresAt ?? Number.POSITIVE_INFINITY;
      const expiresAt = Math.floor(Math.min(clock.now() + ACCESS_TOKEN_MS, latest));
      return { token: signed.sign({ ...caller, expiresAt }), expiresAt };
    },
    async verify(token) {
      const claims = signed.read(token);
      if (claims === "other") return undefined;
      if (claims === "forged") throw invalidToken("The access token was not issued by this server.");
      if (claims.expiresAt <= clock.now()) throw expiredToken("The access token", claims.expiresAt);
      if (!(await isValid(claims.credentialId)))
        throw invalidToken("The credential with which the access token was requested was revoked or has expired.");
      const { kind, principal, credentialId, groups, scopes, audience, within, expiresAt } = claims;
      const limits = definedFields({ scopes, audience, within });
      return Object.freeze({
        ...ANONYMOUS,
        ...{ kind, principal, credentialId, claims: claims.claims, groups, expiresAt },
        ...limits,
      });
    },
  };
}
