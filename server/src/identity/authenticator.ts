import { ANONYMOUS, type Caller, type Peer } from "#base";
import type { Authenticator } from "#rpc";
import { callerOf } from "./client-certificates.ts";
import { credentialOf, type ShownCredential } from "./credential-of.ts";
import { invalidApiKey } from "./credentials/api-keys.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { OwnAddresses } from "./own-addresses.ts";
import { invalidToken } from "./refusals.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { bearerToken } from "./tokens/bearer-token.ts";
import type { OperatorToken } from "./tokens/operator-token.ts";
import type { TokenVerifier } from "./tokens/token-verifier.ts";
import { createVerifiedCallers } from "./verified-callers.ts";

interface AuthenticatorDeps {
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly operatorToken: OperatorToken;
  readonly apiKeys: TokenVerifier;
  /** Verifiers of bearer tokens, by form. */
  readonly tokens: readonly TokenVerifier[];
  readonly addresses: OwnAddresses;
  readonly now: () => number;
}

/**
 * Finds out who makes a request (AUTH-10). A credential that was verified is remembered until it expires or a credential is revoked, so that all
 * but the first request with it cost a digest.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { credentials, sessions, operatorToken, addresses } = deps;
  const verified = createVerifiedCallers({ now: deps.now, generation: () => credentials.generation() });

  async function callerWith(shown: Exclude<ShownCredential, { kind: "none" }>, peer: Peer): Promise<Caller> {
    if (shown.kind === "bearer" && operatorToken.isForm(shown.text)) return operatorToken.verify(shown.text, peer);
    const caller = await verified.get(shown.kind, shown.text, () => verify(shown, deps));
    if (caller.credentialId !== "") credentials.used(caller.credentialId);
    return caller;
  }

  return {
    async authenticate({ headers, peer, isSafe, endpoint, certificate }) {
      const shown = credentialOf(headers);
      if (shown.kind === "none") return certificate ? callerOf(certificate) : ANONYMOUS;
      const caller = await callerWith(shown, peer);
      if (shown.kind === "session" && !isSafe) sessions.checkCsrf(shown.text, headers.get("x-frontdesk-csrf"));
      if (endpoint !== undefined) checkEndpoint(caller, endpoint, addresses);
      return caller;
    },
  };
}

/** Everybody may call. Whoever shows one of these tokens is known all the same; other credentials are for somebody else, such as a proxy. */
export function createOpenAuthenticator(tokens: readonly TokenVerifier[]): Authenticator {
  return {
    async authenticate({ headers }) {
      const token = bearerToken(headers);
      for (const verifier of token === undefined ? [] : tokens) {
        const caller = await verifier.verify(token ?? "");
        if (caller) return caller;
      }
      return ANONYMOUS;
    },
  };
}

function verify({ kind, text }: ShownCredential & { readonly text: string }, deps: AuthenticatorDeps): Promise<Caller> {
  if (kind === "session") return deps.sessions.verify(text);
  return kind === "api-key" ? verifyApiKey(text, deps) : verifyBearer(text, deps);
}

async function verifyApiKey(text: string, { apiKeys }: AuthenticatorDeps): Promise<Caller> {
  const caller = await apiKeys.verify(text);
  if (caller) return caller;
  throw invalidApiKey();
}

async function verifyBearer(text: string, { apiKeys, tokens }: AuthenticatorDeps): Promise<Caller> {
  for (const verifier of [apiKeys, ...tokens]) {
    const caller = await verifier.verify(text);
    if (caller) return caller;
  }
  throw unreadableToken(text);
}

/** Issuers make tokens for their own services by default: opaque ones, or ones that are encrypted, which have five parts (AUTH-25). */
function unreadableToken(text: string): Error {
  const what = text.split(".").length === 5 ? "encrypted" : "not a JWT";
  return invalidToken(
    `This server did not issue the token, and it is ${what}. A token of an issuer has to be a signed JWT: many issuers make one only where the request names an audience or a resource.`,
  );
}

/** An endpoint with tokens of its own refuses those that were made for something else, also for another address of this server (AUTH-15). */
function checkEndpoint({ audience }: Caller, path: string, addresses: OwnAddresses): void {
  if (!audience || audience.some((name) => addresses.isEndpoint(name, path))) return;
  throw invalidToken(
    `The token is for '${audience.join("', '")}'. Request one whose audience is '${addresses.origin}${path}'.`,
  );
}
