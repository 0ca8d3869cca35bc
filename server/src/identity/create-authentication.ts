import type { Clock, Egress, Logger } from "#base";
import type { Authenticator, Interceptor } from "#rpc";
import type { CredentialStore, ShortLivedStore } from "#storage";
import { createAuthenticator, createOpenAuthenticator } from "./authenticator.ts";
import { type AccountKeys, createAccountKeys } from "./credentials/account-keys.ts";
import { type ApiKeys, createApiKeys } from "./credentials/api-keys.ts";
import { type Credentials, createCredentials } from "./credentials/credentials.ts";
import type { Issuer } from "./issuers/contract.ts";
import { createIssuerTokens, type IssuerTokens } from "./issuers/issuer-tokens.ts";
import { createOwnAddresses, type OwnAddresses } from "./own-addresses.ts";
import { type IssuerScopes, requireScopes } from "./scopes.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import type { ConsoleClient, SignIn } from "./sign-in/contract.ts";
import { createDeviceLogins, type DeviceLogins } from "./sign-in/device-logins.ts";
import { createOneTimeLinks, type OneTimeLinks } from "./sign-in/one-time-links.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import type { TokenEndpoint } from "./token-endpoint/contract.ts";
import { createTokenEndpoint } from "./token-endpoint/token-endpoint.ts";
import { type AccessTokens, createAccessTokens } from "./tokens/access-tokens.ts";
import { createChatCallers } from "./tokens/chat-callers.ts";
import type { ChatTokens } from "./tokens/chat-tokens.ts";
import { createOperatorToken, type OperatorToken } from "./tokens/operator-token.ts";
import { createRefreshTokens, type RefreshTokens } from "./tokens/refresh-tokens.ts";
import { createServiceAccountTokens } from "./tokens/service-account-tokens.ts";
import { createStaticTokens, type StaticToken } from "./tokens/static-tokens.ts";

/** Settings of authentication. */
export interface AuthenticationSettings {
  /** `off`: everybody may do everything, and only tokens of the section `identities` and chat tokens are looked at. */
  readonly mode: "off" | "required";
  /** Public origin of the server. Default: the address that the port is bound to. */
  readonly origin?: string;
  readonly issuers: readonly Issuer[];
  readonly scopes: IssuerScopes;
  /** Milliseconds until people in browsers have to sign in again. */
  readonly sessionMs: number;
  /** Default: people sign in by one-time links. */
  readonly console?: ConsoleClient;
}

interface AuthenticationDeps {
  readonly settings: AuthenticationSettings;
  readonly staticTokens: readonly StaticToken[];
  readonly store: CredentialStore;
  readonly shortLived: ShortLivedStore;
  readonly chatTokens: ChatTokens;
  /** Signs access tokens and the tokens of sessions; 32 bytes. Whoever has it can issue tokens. */
  readonly key: Uint8Array;
  /** The gate to issuers. */
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Who calls: everything about credentials. */
export interface Authentication {
  readonly mode: AuthenticationSettings["mode"];
  readonly authenticator: Authenticator;
  /** Refuses calls with tokens whose scopes do not reach the method. */
  readonly requireScopes: Interceptor;
  readonly addresses: OwnAddresses;
  readonly credentials: Credentials;
  readonly accountKeys: AccountKeys;
  readonly apiKeys: ApiKeys;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly issuerTokens: IssuerTokens;
  readonly sessions: Sessions;
  /** Present when people sign in at an issuer. */
  readonly signIn?: SignIn;
  readonly links: OneTimeLinks;
  readonly deviceLogins: DeviceLogins;
  readonly operatorToken: OperatorToken;
  readonly tokenEndpoint: TokenEndpoint;
}

/** Id of tokens that the metadata server issues. */
export const METADATA_CREDENTIAL = "metadata";

/** Creates all that says who calls: tokens, keys, sessions of the console, and the authenticator that asks each of them. */
export function createAuthentication({
  settings,
  staticTokens,
  store,
  shortLived,
  chatTokens,
  key,
  clock,
  ...deps
}: AuthenticationDeps): Authentication {
  const now = () => clock.now();
  const addresses = createOwnAddresses(settings.origin);
  const credentials = createCredentials({ store, clock });
  const apiKeys = createApiKeys(credentials);
  const isApi = (audience: string) => addresses.isApi(audience);
  const isTokenEndpoint = (audience: string) => addresses.isTokenEndpoint(audience);
  const named = new Set([METADATA_CREDENTIAL, ...settings.issuers.map(({ name }) => `issuer:${name}`)]);
  const isValid = async (id: string) => named.has(id) || (await credentials.find(id)) !== undefined;
  const accessTokens = createAccessTokens({ key, clock, isValid });
  const serviceAccounts = createServiceAccountTokens({ credentials, clock, isApi, isTokenEndpoint });
  const readScopes = Object.keys(settings.scopes).length > 0;
  const issuerTokens = createIssuerTokens({ issuers: settings.issuers, readScopes, isApi, clock, ...deps });
  const refreshTokens = createRefreshTokens(credentials, clock);
  const sessions = createSessions({ credentials, now, key, lifetimeMs: settings.sessionMs });
  const deviceLogins = createDeviceLogins(shortLived, now);
  const operatorToken = createOperatorToken((address) => addresses.isBoundTo(address));
  const staticCaller = createStaticTokens(staticTokens);
  const configured = { verify: async (token: string) => staticCaller(token) };
  const chatCallers = createChatCallers(chatTokens);
  const tokens = [accessTokens, chatCallers, configured, serviceAccounts, issuerTokens];
  return {
    mode: settings.mode,
    authenticator:
      settings.mode === "required"
        ? createAuthenticator({ credentials, sessions, operatorToken, apiKeys, tokens, addresses, now })
        : createOpenAuthenticator([chatCallers, configured]),
    requireScopes: requireScopes(settings.scopes),
    links: createOneTimeLinks(shortLived, now),
    deviceLogins,
    ...signInOf(settings, { addresses, key, clock, ...deps }),
    ...{ addresses, credentials, apiKeys, accessTokens, refreshTokens, issuerTokens, sessions, operatorToken },
    accountKeys: createAccountKeys(credentials),
    tokenEndpoint: createTokenEndpoint({
      accessTokens,
      serviceAccounts,
      issuerTokens,
      refreshTokens,
      deviceLogins,
      shortLived,
      now,
    }),
  };
}

function signInOf(
  { console: client, issuers }: AuthenticationSettings,
  deps: Omit<Parameters<typeof createSignIn>[0], "client" | "issuer">,
): Pick<Authentication, "signIn"> {
  const issuer = issuers.find(({ name }) => name === client?.issuer);
  return client && issuer ? { signIn: createSignIn({ client, issuer, ...deps }) } : {};
}
