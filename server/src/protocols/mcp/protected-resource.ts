import type { IncomingMessage } from "node:http";

/** Who issues the tokens that this server takes (RFC 9728). */
export interface OAuthFacts {
  /** Issuer addresses. */
  readonly issuers: readonly string[];
  /** Scopes that a client should ask for. Default none are named. */
  readonly scopes?: readonly string[];
  /** Address of the server as clients know it, e.g. `https://desk.example.com`. Default: what the request's Host says. */
  readonly origin?: string;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Whether a path asks for the metadata of an endpoint: `/.well-known/oauth-protected-resource` before the endpoint's path. */
export function isMetadataPath(path: string): boolean {
  return path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`);
}

/** The metadata of the endpoint whose path follows the well-known one; the plain path is that of `/mcp`. */
export function metadataOf(path: string, request: IncomingMessage, { issuers, scopes, origin }: OAuthFacts): string {
  const endpoint = path.slice(WELL_KNOWN.length) || "/mcp";
  return JSON.stringify({
    resource: `${origin ?? originOf(request)}${endpoint}`,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...(scopes && { scopes_supported: scopes }),
  });
}

/** What a caller without credentials is told: where to learn who gives them. */
export function challenge(endpoint: string, request: IncomingMessage, facts: OAuthFacts | undefined): string {
  return facts ? `Bearer resource_metadata="${facts.origin ?? originOf(request)}${WELL_KNOWN}${endpoint}"` : "Bearer";
}

function originOf(request: IncomingMessage): string {
  const secure = "encrypted" in request.socket && request.socket.encrypted === true;
  return `${secure ? "https" : "http"}://${request.headers.host ?? String(request.headers[":authority"] ?? "")}`;
}
