import { CommandError } from "../command.ts";
import type { Context } from "../context/stored-contexts.ts";
import { environmentCredentials } from "../server/server-address.ts";
import { keyFileTokens } from "./key-file.ts";
import { storedLogin } from "./stored-logins.ts";

/** Gets bearer tokens for one server. */
export type TokenSource = () => Promise<string>;

/** Milliseconds after which a command that runs long gets a new token: well within the hour that tokens last. */
const RENEW_AFTER_MS = 50 * 60_000;

/**
 * Where the tokens come from with which commands call a server; undefined for none, as a server without authentication needs none. In this order:
 * `FRONTDESK_TOKEN`, a file in `GOOGLE_APPLICATION_CREDENTIALS` that is for this server, `otherwise`, and what `frontdesk login` stored for it. Throws
 * `CommandError`.
 */
export function tokensFor(address: string, otherwise?: TokenSource): TokenSource | undefined {
  const { token, keyFile } = environmentCredentials();
  if (token) return async () => token;
  const fromFile = keyFile ? keyFileTokens("GOOGLE_APPLICATION_CREDENTIALS", keyFile, address) : undefined;
  const source = fromFile ?? otherwise ?? storedLogin(address);
  return source && remembered(source);
}

/** A token that is given on the command line. */
export function givenToken(token: string | undefined): TokenSource | undefined {
  return token === undefined ? undefined : async () => token;
}

/** The credential of a context. Throws `CommandError` for a key file that cannot be read, or that is for another server. */
export function contextTokens({ token, key }: Context, address: string): TokenSource | undefined {
  if (key === undefined) return givenToken(token);
  const source = keyFileTokens("The key of the context", key, address);
  if (!source) throw new CommandError(`${key} is no key for ${address}. Make one with frontdesk auth create-key.`);
  return remembered(source);
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
