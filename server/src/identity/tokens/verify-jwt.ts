import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from "jose";
import type { Clock } from "#base";
import { ConnectError } from "#status";
import { expiredToken, invalidToken } from "../refusals.ts";

/** How far the clock of another machine may be off, milliseconds (AUTH-11). */
export const CLOCK_SKEW_MS = 60_000;

/** For a token whose time has not come. */
export const NOT_YET_VALID =
  "The token is not valid yet: its claim 'nbf' is in the future. Check the clock of the machine that made it.";

/** What a JWT must be. */
interface JwtExpectations extends Pick<JWTVerifyOptions, "issuer" | "subject"> {
  readonly algorithms: readonly string[];
}

/**
 * The claims of a JWT whose signature and times are valid. Which audience it must have is for the caller of this function. Throws UNAUTHENTICATED
 * in words that name what is wrong; an error of `key` that is a status error is passed on.
 */
export async function verifyJwt(
  token: string,
  key: JWTVerifyGetKey,
  { algorithms, ...expected }: JwtExpectations,
  clock: Clock,
): Promise<JWTPayload> {
  const options: JWTVerifyOptions = {
    ...expected,
    algorithms: [...algorithms],
    currentDate: new Date(clock.now()),
    clockTolerance: CLOCK_SKEW_MS / 1_000,
    requiredClaims: ["exp"],
  };
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return expiredToken("The token", 1_000 * Number(error.payload.exp));
  if (error instanceof errors.JWTClaimValidationFailed) return invalidToken(claimSentence(error));
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalidToken("The signature of the token is not the one of its key.");
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalidToken("The token is signed with an algorithm that is not accepted for it.");
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return invalidToken("The issuer of the token has no key with its key id.");
  if (error instanceof errors.JOSEError) return invalidToken("The token is not a valid JWT.");
  return error;
}

/** `nbf` is in the future, `iss` is another one, … */
function claimSentence({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (claim === "nbf") return NOT_YET_VALID;
  if (reason === "missing") return `The token lacks the claim '${claim}'.`;
  return `The claim '${claim}' of the token is not the expected one.`;
}
