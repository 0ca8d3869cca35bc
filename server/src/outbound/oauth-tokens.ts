import { isJsonObject, type JsonValue } from "#base";
import { OutboundError } from "./contract.ts";
import type { Token } from "./token-cache.ts";

/** Sends the form of a token request and answers status and text. */
export type PostForm = (
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

/** How long a token lives whose answer does not say: short, because a refused one is renewed anyway. */
const UNSAID_LIFETIME_SECONDS = 300;

/** The client credentials grant (RFC 6749, 4.4): the client shows itself in the header, else, when that is refused, in the form. */
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

/** As a form encodes it, which RFC 6749 (2.3.1) asks for inside Basic, too. */
function encodeForm(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

/** The answer's own words may hold what was sent, so only the registered error code is told. */
function readToken({ status, text }: { status: number; text: string }, endpoint: string, startedAt: number): Token {
  const answer = parse(text);
  const fields = isJsonObject(answer) ? answer : {};
  const { access_token, expires_in, error } = fields;
  if (status >= 200 && status < 300 && typeof access_token === "string" && access_token !== "") {
    const seconds = Number(expires_in ?? UNSAID_LIFETIME_SECONDS);
    const lifetime = Number.isFinite(seconds) && seconds > 0 ? seconds : UNSAID_LIFETIME_SECONDS;
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
