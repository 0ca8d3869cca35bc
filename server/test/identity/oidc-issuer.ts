import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Configuration, Provider } from "oidc-provider";

/** An OpenID provider that we did not write, on a port of its own. */
export interface OidcIssuer extends AsyncDisposable {
  readonly issuer: string;
}

/** What the tests' clients may do there. */
interface OidcOptions {
  readonly clients: NonNullable<Configuration["clients"]>;
  /** Scopes of access tokens for a resource (RFC 8707). */
  readonly scopes?: string;
  readonly more?: Partial<Configuration>;
}

/** Starts the provider. Access tokens are JWTs for the resource that a client names. */
export async function startOidcIssuer({ clients, scopes = "", more }: OidcOptions): Promise<OidcIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients,
    scopes: ["openid", "email", "profile", "offline_access", ...scopes.split(" ").filter(Boolean)],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["for tests only"] },
    ...more,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: scopes,
          audience: resource,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
      ...more?.features,
    },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a provider at which people sign in to the console, whatever their password. `emailOf`: the address that it knows of an account, and whether it is theirs. */
export function startSignInIssuer(
  emailOf: (id: string) => { readonly email: string; readonly email_verified: boolean },
): Promise<OidcIssuer> {
  return startOidcIssuer({
    clients: [
      {
        client_id: "console",
        client_secret: "secret",
        redirect_uris: ["http://127.0.0.1/auth/callback"],
        application_type: "native",
      },
    ],
    more: {
      features: { devInteractions: { enabled: true } },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, ...emailOf(id), name: "Ann A." }),
      }),
    },
  });
}
