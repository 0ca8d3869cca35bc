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
import { goesWithoutGoogleToken, googleTokenFor } from "./google-tokens.ts";
import { requireGrant } from "./grants.ts";
import { clientCredentialsToken, jwtBearerToken, type PostForm, signAssertion } from "./oauth-tokens.ts";
import type { ReadSecret } from "./secrets.ts";
import type { TokenCache } from "./token-cache.ts";
import { requiredVariable } from "./variable-reference.ts";

/** What authenticates a request. */
export type Credential =
  | { readonly kind: "none" }
  /** A token for the Authorization header. `invalidate` removes it from the cache; absent when the token is not cached. */
  | { readonly kind: "bearer"; readonly token: string; readonly invalidate?: () => void }
  | { readonly kind: "header" | "query"; readonly name: string; readonly value: string };

interface CredentialDeps {
  readonly readSecret: ReadSecret;
  readonly grants: readonly CredentialGrant[];
  readonly google: GoogleIdentity;
  /** As in `OutboundConfig`. */
  readonly withoutGoogleToken: readonly string[];
  readonly tokens: TokenCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The credential of a route (auth.proto). `post` sends requests to token endpoints, through the gate and for this app. */
export async function credentialFor(
  url: string,
  route: OutboundRoute,
  context: OutboundContext,
  deps: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  if (goesWithoutGoogleToken(url, route, deps.withoutGoogleToken)) return { kind: "none" };
  if (route.apiAuthentication?.authConfig.case) {
    if (!route.byOperator) requireGrants(url, route.apiAuthentication, context.app, deps.grants);
    return apiCredential(url, route.apiAuthentication, context, deps, post);
  }
  if (route.endUserAuth?.authConfig.case) return endUserCredential(url, route.endUserAuth, route, context, deps, post);
  return { kind: "none" };
}

/** A token made from a secret is worth as much as the secret, so the grant covers token endpoint and destination. */
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

async function apiCredential(
  url: string,
  { authConfig }: ApiAuthentication,
  context: OutboundContext,
  deps: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  switch (authConfig.case) {
    case "apiKeyConfig":
      return apiKey(authConfig.value, deps.readSecret);
    case "oauthConfig":
      return clientCredentials(authConfig.value, context, deps, post);
    case "serviceAgentIdTokenAuthConfig":
      return { kind: "bearer", token: await googleTokenFor(url, () => deps.google.idToken(new URL(url).origin)) };
    case "serviceAccountAuthConfig": {
      const { serviceAccount, scopes } = authConfig.value;
      const impersonated = () => deps.google.impersonated(serviceAccount, scopes.length > 0 ? scopes : undefined);
      return { kind: "bearer", token: await googleTokenFor(url, impersonated) };
    }
    case "bearerTokenConfig":
      return { kind: "bearer", token: bearerToken(authConfig.value.token, context) };
    case undefined:
      return { kind: "none" };
    default:
      return unreachable(authConfig);
  }
}

/** Pages often pass on the header that they have, which is the token with its scheme in front. */
function bearerToken(reference: string, { variables }: OutboundContext): string {
  return requiredVariable(reference, "The bearer token", variables).replace(/^Bearer\s+/i, "");
}

/** A key that belongs in a cookie is configured as `Cookie: name`, because the header holds `name=value` pairs. */
async function apiKey(
  { keyName, apiKeySecretVersion, requestLocation }: ApiKeyConfig,
  readSecret: ReadSecret,
): Promise<Credential> {
  const value = await readSecret(apiKeySecretVersion);
  if (requestLocation === Location.QUERY_STRING) return { kind: "query", name: keyName, value };
  const cookie = /^cookie:\s*(.+)$/i.exec(keyName)?.[1];
  return cookie
    ? { kind: "header", name: "cookie", value: `${cookie}=${value}` }
    : { kind: "header", name: keyName, value };
}

async function clientCredentials(
  { clientId, clientSecretVersion, tokenEndpoint, scopes }: OAuthConfig,
  context: OutboundContext,
  { readSecret, tokens, now }: CredentialDeps,
  post: PostForm,
): Promise<Credential> {
  // The app is part of the key: grants are given by app, so a token must not serve another one.
  const key = JSON.stringify(["client", context.app, clientId, clientSecretVersion, tokenEndpoint, scopes]);
  const token = await tokens.get(key, async () =>
    clientCredentialsToken(
      tokenEndpoint,
      { id: clientId, secret: await readSecret(clientSecretVersion), scopes },
      post,
      now,
    ),
  );
  return { kind: "bearer", token, invalidate: () => tokens.invalidate(key, token) };
}

async function endUserCredential(
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
  return { kind: "bearer", token, invalidate: () => tokens.invalidate(key, token) };
}

const ASSERTION_SECONDS = 300;

/** The end user's credentials in the session's variables. Throws `OutboundError`, which names the missing variable. */
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
      throw new OutboundError("unauthorized", "The end user authentication has no auth config.");
    default:
      return unreachable(authConfig);
  }
}

/** A digest, so that cache keys do not hold the private key. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
