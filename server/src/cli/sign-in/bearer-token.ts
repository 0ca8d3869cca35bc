import { environmentCredentials } from "../server-address.ts";
import { keyFileTokens } from "./key-file.ts";
import { storedLogin } from "./stored-logins.ts";

/** Gets bearer tokens for one server. */
export type TokenSource = () => Promise<string>;

/** Milliseconds after which a command that runs long gets a new token: well within the hour that tokens last. */
const RENEW_AFTER_MS = 50 * 60_000;

/**
 * Where the tokens come from with which commands call a server; undefined for none, as a server without authentication needs none. In this order:
 * `FRONTDESK_TOKEN`, a file in `GOOGLE_APPLICATION_CREDENTIALS` that is for this server, and what `frontdesk login` stored for it. Throws
 * `CommandError`.
 */
export function tokensFor(address: string): TokenSource | undefined {
  const { token, keyFile } = environmentCredentials();
  if (token) return async () => token;
  const source = (keyFile ? keyFileTokens(keyFile, address) : undefined) ?? storedLogin(address);
  return source && remembered(source);
}

function remembered(source: TokenSource): TokenSource {
  let token: Promise<string> | undefined;
  let gotAt = 0;
  return () => {
    const isCurrent = token !== undefined && Date.now() - gotAt < RENEW_AFTER_MS;
    if (isCurrent && token) return token;
    gotAt = Date.now();
    token = source();
    return token;
  };
}

/** The header of the token, for requests that are no calls of a client. */
export async function authorizationFor(address: string): Promise<{ readonly authorization?: string }> {
  const token = await tokensFor(address)?.();
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
