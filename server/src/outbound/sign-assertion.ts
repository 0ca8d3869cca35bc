import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { OutboundError } from "./contract.ts";

/** Who asserts what about whom, for whose ears. Times are seconds since 1970. */
export interface AssertionClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
}

/** A JWT signed with a private key in PEM: RS256 for RSA keys, ES256 for keys on P-256 (RFC 7518). */
export function signAssertion(claims: AssertionClaims, privateKey: string): string {
  const key = readKey(privateKey);
  const alg = key.asymmetricKeyType === "ec" ? "ES256" : "RS256";
  const content = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

/** Keys in variables are often written on one line. */
function readKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text.replaceAll("\\n", "\n"));
    if (key.asymmetricKeyType === "rsa" || key.asymmetricKeyType === "ec") return key;
  } catch {
    // The reason could quote the key.
  }
  throw new OutboundError("unauthorized", "client_key is no RSA or P-256 private key in PEM.");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
