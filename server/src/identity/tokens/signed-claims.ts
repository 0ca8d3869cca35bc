import { createHmac, timingSafeEqual } from "node:crypto";

/** Tokens that this server signs for itself: `{prefix}.{claims as JSON}.{HMAC-SHA256}`, both in base64url. Nothing is stored. */
interface SignedClaims<Claims extends object> {
  sign(claims: Claims): string;
  /** The claims; `other` for a text that is no such token, `forged` for one that this server did not sign. */
  read(token: string): Claims | "other" | "forged";
}

/** `key`: whoever has it can issue tokens. `prefix` has no dot: it tells these tokens from others, and this format from later ones. */
export function createSignedClaims<Claims extends object>(prefix: string, key: Uint8Array): SignedClaims<Claims> {
  const signatureOf = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return {
    sign(claims) {
      const signed = `${prefix}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return `${signed}.${signatureOf(signed).toString("base64url")}`;
    },
    read(token) {
      if (!token.startsWith(`${prefix}.`)) return "other";
      const [, claims = "", signature = "", ...more] = token.split(".");
      const expected = signatureOf(`${prefix}.${claims}`);
      const given = Buffer.from(signature, "base64url");
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      // The signature is valid, so `sign` wrote these claims.
      return JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims;
    },
  };
}
