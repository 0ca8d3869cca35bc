import type { IncomingMessage } from "node:http";
import { definedFields } from "#base";
import { type ConnectError, challengeOf } from "#status";

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

/** Whether a path is that of the metadata of an endpoint: `/.well-known/oauth-protected-resource` before the endpoint's path. */
export function isMetadataPath(path: string): boolean {
  return path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`);
}

/** The metadata of the endpoint whose path follows the well-known one. Without one: `/mcp`. */
export function metadataOf(path: string, request: IncomingMessage, { issuers, scopes, origin }: OAuthConfig): string {
  const endpoint = path.slice(WELL_KNOWN.length) || "/mcp";
  return JSON.stringify({
    resource: `${origin ?? originOf(request)}${endpoint}`,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...definedFields({ scopes_supported: scopes }),
  });
}

/** `WWW-Authenticate` for a caller without a valid token: the challenge of the error, and where the metadata is. */
export function bearerChallenge(
  error: ConnectError,
  endpoint: string,
  request: IncomingMessage,
  oauth: OAuthConfig | undefined,
): string {
  const challenge = challengeOf(error) ?? "Bearer";
  if (!oauth) return challenge;
  const metadata = `resource_metadata="${oauth.origin ?? originOf(request)}${WELL_KNOWN}${endpoint}"`;
  return challenge.includes(" ") ? `${challenge}, ${metadata}` : `${challenge} ${metadata}`;
}

function originOf(request: IncomingMessage): string {
  const secure = "encrypted" in request.socket && request.socket.encrypted === true;
  return `${secure ? "https" : "http"}://${request.headers.host ?? String(request.headers[":authority"] ?? "")}`;
}
