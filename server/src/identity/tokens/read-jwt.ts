import { decodeJwt, decodeProtectedHeader, type JWTPayload, type ProtectedHeaderParameters } from "jose";
import { invalidToken } from "../refusals.ts";

/** Header and claims of a JWT whose signature nobody has verified. */
export interface UnverifiedJwt {
  readonly header: ProtectedHeaderParameters;
  readonly claims: JWTPayload;
}

const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Types of tokens that may show who calls (RFC 9068, RFC 7519). Others, such as logout tokens, are about something else. */
const TYPES: ReadonlySet<string> = new Set(["jwt", "at+jwt", "application/at+jwt", "application/jwt"]);

/** Reads a JWT; undefined for a text of another form. Throws UNAUTHENTICATED for one that can show nobody. */
export function readJwt(token: string): UnverifiedJwt | undefined {
  if (!FORM.test(token)) return undefined;
  const jwt = decode(token);
  if (!jwt) throw invalidToken("The token has the form of a JWT and cannot be read.");
  const { typ, alg } = jwt.header;
  if (typ !== undefined && !TYPES.has(typ.toLowerCase()))
    throw invalidToken(`The token is a '${typ}', which does not show who calls.`);
  if (alg === undefined || alg === "none") throw invalidToken("The token is not signed.");
  return jwt;
}

function decode(token: string): UnverifiedJwt | undefined {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    return undefined;
  }
}
