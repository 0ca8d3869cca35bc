import type { IncomingMessage } from "node:http";
import { definedFields } from "#base";
import { type ConnectError, challengeOf } from "#status";
import { originOf } from "../http/origin-of.ts";

/** Which authorization servers issue the tokens of this server (RFC 9728). */
export interface OAuthConfig {
  /** Issuer URLs. */
  readonly issuers: readonly string[];
  /** Scopes that a client should request. Default: none are named. */
  readonly scopes?: readonly string[];
  /** Public origin of the server, e.g. `https://desk.example.com`. Default: the Host header of the request. */
  readonly origin?: string;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/**
 * The endpoint whose metadata a path names: `/.well-known/oauth-protected-resource` before the endpoint's path; without one it is `/mcp`. Undefined for
 * other paths.
 */
export function endpointOfMetadata(path: string): string | undefined {
  if (path === WELL_KNOWN) return "/mcp";
  return path.startsWith(`${WELL_KNOWN}/`) ? path.slice(WELL_KNOWN.length) : undefined;
}

/** The metadata of an endpoint (RFC 9728). */
export function metadataOf(
  endpoint: string,
  request: IncomingMessage,
  { issuers, scopes, origin }: OAuthConfig,
): string {
  return JSON.stringify({
    resource: `${origin ?? originOf(request)}${endpoint}`,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...definedFields({ scopes_supported: scopes }),
  });
}

/**
 * `WWW-Authenticate` for a caller without a valid token, or whose token lacks a scope (AUTH-15): the challenge of the error, where the metadata is,
 * and which scopes to ask for when the error names none.
 */
export function bearerChallenge(
  error: ConnectError,
  endpoint: string,
  request: IncomingMessage,
  oauth: OAuthConfig | undefined,
): string {
  const challenge = challengeOf(error) ?? "Bearer";
  if (!oauth) return challenge;
  const { scopes = [] } = oauth;
  const parameters = [
    `resource_metadata="${oauth.origin ?? originOf(request)}${WELL_KNOWN}${endpoint}"`,
    ...(scopes.length > 0 && !challenge.includes("scope=") ? [`scope="${scopes.join(" ")}"`] : []),
  ].join(", ");
  return challenge.includes(" ") ? `${challenge}, ${parameters}` : `${challenge} ${parameters}`;
}
