import { ANONYMOUS } from "#base";
import type { Authenticator } from "#rpc";
import { bearerToken } from "./bearer-token.ts";
import { createStaticTokens, type StaticToken } from "./static-tokens.ts";

interface AuthenticatorDeps {
  /** Default none. */
  readonly staticTokens?: readonly StaticToken[];
}

/** Finds out who makes a request, from its credentials. */
export function createAuthenticator({ staticTokens = [] }: AuthenticatorDeps): Authenticator {
  const staticCaller = createStaticTokens(staticTokens);
  return {
    async authenticate({ headers }) {
      const token = bearerToken(headers);
      return (token !== undefined && staticCaller(token)) || ANONYMOUS;
    },
  };
}
