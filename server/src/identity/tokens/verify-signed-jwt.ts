import { type KeyObject, verify } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Clock } from "#base";
import { expiredToken, invalidToken } from "../refusals.ts";
import type { UnverifiedJwt } from "./read-jwt.ts";
import { CLOCK_SKEW_MS, NOT_YET_VALID } from "./verify-jwt.ts";

/**
 * The claims of a JWT that is signed with RS256 by the other half of a key that this server issued; `jwt` was read from `token`. Tokens of issuers are verified by
 * `verifyJwt`. Each new token of a program comes here, and the library's way through a thread costs four times as much. Throws UNAUTHENTICATED.
 */
export function verifySignedJwt(token: string, jwt: UnverifiedJwt, key: KeyObject, clock: Clock): JWTPayload {
  const { header, claims } = jwt;
  if (header.alg !== "RS256") throw invalidToken("The token is signed with an algorithm that is not accepted for it.");
  // What a critical header asks for is not done here (RFC 7515, 4.1.11).
  if (header.crit !== undefined || header.b64 !== undefined) throw invalidToken("The token is not a valid JWT.");
  const signed = token.lastIndexOf(".");
  const signature = Buffer.from(token.slice(signed + 1), "base64url");
  if (!verify("sha256", Buffer.from(token.slice(0, signed)), key, signature))
    throw invalidToken("The signature of the token is not the one of its key.");
  checkTimes(claims, clock.now());
  return claims;
}

/** `now`: milliseconds since the epoch. */
function checkTimes({ exp, nbf, iat }: JWTPayload, now: number): void {
  if (exp === undefined) throw invalidToken("The token lacks the claim 'exp'.");
  for (const [name, time] of Object.entries({ exp, nbf, iat }))
    if (time !== undefined && !Number.isFinite(time))
      throw invalidToken(`The claim '${name}' of the token is not the expected one.`);
  if (1_000 * exp <= now - CLOCK_SKEW_MS) throw expiredToken("The token", 1_000 * exp);
  if (nbf !== undefined && 1_000 * nbf > now + CLOCK_SKEW_MS) throw invalidToken(NOT_YET_VALID);
}
