import { createHash } from "node:crypto";
import {
  type ApiAuthentication,
  type ApiKeyConfig,
  type EndUserAuthConfig,
  ApiKeyConfig_RequestLocation as Location,
  type OAuthConfig,
} from "@frontdesk/protos/ces/auth";
import { unreachable } from "#base";
import type { GoogleIdentity } from "#google";
import {
  type CredentialGrant,
  type EndUserCredentials,
  type OutboundContext,
  OutboundError,
  type OutboundRoute,
} from "./contract.ts";
import { requireGrant } from "./grants.ts";
import { clientCredentialsToken, jwtBearerToken, type PostForm } from "./oauth-tokens.ts";
import type { ReadSecret } from "./secrets.ts";
import { signAssertion } from "./sign-assertion.ts";
import type { TokenCache } from "./token-cache.ts";
import { requiredVariable } from "./variable-reference.ts";

/** What a request carries to show on whose behalf it is made. */
export type Credential =
  | { readonly kind: "none" }
  /** A token for the Authorization header. `renew` forgets it, so that the next one is a new one; absent where none can be had. */
  | { readonly kind: "bearer"; readonly token: string; readonly renew?: () => void }
  | { readonly kind: "header" | "query"; readonly name: string; readonly value: string };

export interface CredentialDeps {
  readonly secret: ReadSecret;
  readonly grants: readonly CredentialGrant[];
  readonly google: GoogleIdentity;
  readonly tokens: TokenCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The credential that a route asks for (auth.proto). `post` is how token endpoints are asked: through the gate, for this app. */
export async function credentialOf(
  url: string,
  route: OutboundRoute,
  context: OutboundContext,
  deps: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  if (route.apiAuthentication?.authConfig.case) {
    if (!route.byOperator) requireGrants(url, route.apiAuthentication, context.app, deps.grants);
    return ofApi(url, route.apiAuthentication, context, deps, post);
  }
  if (route.endUserAuth?.authConfig.case) return ofEndUser(url, route.endUserAuth, route, context, deps, post);
  return { kind: "none" };
}

/** A token made of a secret is as good as the secret, so both of its ways count. */
function requireGrants(
  url: string,
  { authConfig }: ApiAuthentication,
  app: string,
  grants: readonly CredentialGrant[],
): void {
  if (authConfig.case === "apiKeyConfig")
    requireGrant(authConfig.value.apiKeySecretVersion, { app, urls: [url] }, grants);
  if (authConfig.case === "oauthConfig")
    requireGrant(authConfig.value.clientSecretVersion, { app, urls: [url, authConfig.value.tokenEndpoint] }, grants);
  if (authConfig.case === "serviceAccountAuthConfig")
    requireGrant(authConfig.value.serviceAccount, { app, urls: [url] }, grants);
}

async function ofApi(
  url: string,
  { authConfig }: ApiAuthentication,
  context: OutboundContext,
  deps: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  switch (authConfig.case) {
    case "apiKeyConfig":
      return apiKey(authConfig.value, deps.secret);
    case "oauthConfig":
      return clientCredentials(authConfig.value, context, deps, post);
    case "serviceAgentIdTokenAuthConfig":
      return { kind: "bearer", token: await deps.google.idToken(new URL(url).origin) };
    case "serviceAccountAuthConfig": {
      const { serviceAccount, scopes } = authConfig.value;
      const token = await deps.google.impersonated(serviceAccount, scopes.length > 0 ? scopes : undefined);
      return { kind: "bearer", token };
    }
    case "bearerTokenConfig":
      return { kind: "bearer", token: requiredVariable(authConfig.value.token, "The bearer token", context.variables) };
    case undefined:
      return { kind: "none" };
    default:
      return unreachable(authConfig);
  }
}

/** A header named Cookie takes `name=value` pairs, so a key for a cookie is given as `Cookie: name`. */
async function apiKey(
  { keyName, apiKeySecretVersion, requestLocation }: ApiKeyConfig,
  secret: ReadSecret,
): Promise<Credential> {
  const value = await secret(apiKeySecretVersion);
  if (requestLocation === Location.QUERY_STRING) return { kind: "query", name: keyName, value };
  const cookie = /^cookie:\s*(.+)$/i.exec(keyName)?.[1];
  return cookie
    ? { kind: "header", name: "cookie", value: `${cookie}=${value}` }
    : { kind: "header", name: keyName, value };
}

async function clientCredentials(
  { clientId, clientSecretVersion, tokenEndpoint, scopes }: OAuthConfig,
  context: OutboundContext,
  { secret, tokens, now }: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  // One app's token is no other's: what an app may ask for is for the operator to say by its secrets.
  const key = JSON.stringify(["client", context.app, clientId, clientSecretVersion, tokenEndpoint, scopes]);
  const token = await tokens.get(key, async () =>
    clientCredentialsToken(
      tokenEndpoint,
      { id: clientId, secret: await secret(clientSecretVersion), scopes },
      post,
      now,
    ),
  );
  return { kind: "bearer", token, renew: () => tokens.drop(key, token) };
}

async function ofEndUser(
  url: string,
  config: EndUserAuthConfig,
  { tokenEndpoint }: OutboundRoute,
  context: OutboundContext,
  { tokens, now }: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  const credentials = endUserCredentials(config, context);
  if (credentials.kind === "oauth-token") return { kind: "bearer", token: credentials.token };
  const { issuer, subject, clientKey } = credentials;
  const audience = tokenEndpoint ?? new URL(url).origin;
  const assertion = () => {
    const iat = Math.floor(now() / 1_000);
    return signAssertion({ iss: issuer, sub: subject, aud: audience, iat, exp: iat + ASSERTION_SECONDS }, clientKey);
  };
  if (!tokenEndpoint) return { kind: "bearer", token: assertion() };
  const key = JSON.stringify(["jwt", context.app, issuer, subject, fingerprint(clientKey), tokenEndpoint]);
  const token = await tokens.get(key, () => jwtBearerToken(tokenEndpoint, assertion(), post, now));
  return { kind: "bearer", token, renew: () => tokens.drop(key, token) };
}

const ASSERTION_SECONDS = 300;

/** Who the end user is, from the session's variables. Throws `OutboundError` that names what is missing. */
export function endUserCredentials({ authConfig }: EndUserAuthConfig, context: OutboundContext): EndUserCredentials {
  const read = (reference: string, field: string) => requiredVariable(reference, field, context.variables);
  switch (authConfig.case) {
    case "oauth2AuthCodeConfig":
      return { kind: "oauth-token", token: read(authConfig.value.oauthToken, "oauth_token") };
    case "oauth2JwtBearerConfig": {
      const { issuer, subject, clientKey } = authConfig.value;
      return {
        kind: "jwt-bearer",
        issuer: read(issuer, "issuer"),
        subject: read(subject, "subject"),
        clientKey: read(clientKey, "client_key"),
      };
    }
    case undefined:
      throw new OutboundError("unauthorized", "The end user's authentication says no way to authenticate.");
    default:
      return unreachable(authConfig);
  }
}

/** The cache's keys hold no keys. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
