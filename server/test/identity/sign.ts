import type { KeyObject } from "node:crypto";
import { type CryptoKey, type JWTPayload, SignJWT } from "jose";

/** Whose key signs a JWT. */
interface Signer {
  readonly email: string;
  readonly kid: string;
  readonly privateKey: KeyObject | CryptoKey;
}

/** Seconds since the epoch. */
export const seconds = (): number => Math.floor(Date.now() / 1_000);

/** A JWT as clients sign it for an address, with other claims or another header where a test wants them. */
export function sign(
  { email, kid, privateKey }: Signer,
  claims: JWTPayload = {},
  header: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const now = seconds();
  return new SignJWT({
    iss: email,
    sub: email,
    iat: now,
    exp: now + 3_600,
    aud: "https://ces.googleapis.com/",
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid, ...header } as { alg: string })
    .sign(privateKey);
}
