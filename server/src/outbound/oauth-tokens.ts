import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { isJsonObject, type JsonValue } from "#base";
import { OutboundError } from "./contract.ts";
import type { Token } from "./token-cache.ts";

/** Posts the form of a token request; returns status and body text of the response. */
export type PostForm = (
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Lifetime of a token without `expires_in`: short is safe, because a token that is rejected is renewed anyway. */
const DEFAULT_LIFETIME_SECONDS = 300;

/** The client credentials grant (RFC 6749, 4.4). The client authenticates with the Basic scheme and, when that fails, in the form. */
export async function clientCredentialsToken(
  endpoint: string,
  client: { readonly id: string; readonly secret: string; readonly scopes: readonly string[] },
  post: PostForm,
  now: () => number,
): Promise<Token> {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (client.scopes.length > 0) form.set("scope", client.scopes.join(" "));
  const pair = `${encodeForm(client.id)}:${encodeForm(client.secret)}`;
  const startedAt = now();
  const first = await post(endpoint, form, { authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
  if (first.status !== 400 && first.status !== 401) return readToken(first, endpoint, startedAt);
  form.set("client_id", client.id);
  form.set("client_secret", client.secret);
  return readToken(await post(endpoint, form, {}), endpoint, startedAt);
}

/** The JWT bearer grant (RFC 7523, 2.1). */
export async function jwtBearerToken(
  endpoint: string,
  assertion: string,
  post: PostForm,
  now: () => number,
): Promise<Token> {
  const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  const startedAt = now();
  return readToken(await post(endpoint, new URLSearchParams({ grant_type, assertion }), {}), endpoint, startedAt);
}

/** Form encoding, which RFC 6749 (2.3.1) also requires inside the Basic scheme. */
function encodeForm(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

/** The response may repeat what was sent, so the message quotes only the registered error code. */
function readToken({ status, text }: { status: number; text: string }, endpoint: string, startedAt: number): Token {
  const json = parse(text);
  const fields = isJsonObject(json) ? json : {};
  const { access_token, expires_in, error } = fields;
  if (status >= 200 && status < 300 && typeof access_token === "string" && access_token !== "") {
    const seconds = Number(expires_in ?? DEFAULT_LIFETIME_SECONDS);
    const lifetime = Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_LIFETIME_SECONDS;
    return { value: access_token, expiresAt: startedAt + 1_000 * lifetime };
  }
  const code = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : "";
  const what = status >= 200 && status < 300 ? "answered without an access token" : `answered ${status}${code}`;
  throw new OutboundError("unauthorized", `The token endpoint ${originOf(endpoint)} ${what}.`);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Claims of a JWT bearer assertion (RFC 7523, 3). Times are seconds since 1970. */
interface AssertionClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
}

/** A JWT signed with a private key in PEM: RS256 for RSA keys, ES256 for keys on P-256 (RFC 7518). */
export function signAssertion(claims: AssertionClaims, privateKey: string): string {
  const key = parsePrivateKey(privateKey);
  const alg = key.asymmetricKeyType === "ec" ? "ES256" : "RS256";
  const content = `${encodeBase64Url({ alg, typ: "JWT" })}.${encodeBase64Url(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

/** Variables often hold the key on one line, with `\\n` for line ends. */
function parsePrivateKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text.replaceAll("\\n", "\n"));
    if (key.asymmetricKeyType === "rsa" || key.asymmetricKeyType === "ec") return key;
  } catch {
    // The error message could quote the key.
  }
  throw new OutboundError("unauthorized", "client_key must be an RSA or P-256 private key in PEM.");
}

function encodeBase64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
