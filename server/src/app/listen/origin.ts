import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { HttpHandler, UpgradeHandler } from "#protocols";
import { EMBEDDED_PAGE } from "#services";

const ALLOWED_HEADERS =
  "authorization, content-type, connect-protocol-version, connect-timeout-ms, grpc-timeout, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-frontdesk-chart, x-frontdesk-trace, x-goog-api-key, x-goog-fieldmask, x-grpc-web, x-server-timeout, x-user-agent";
const EXPOSED_HEADERS = "grpc-status, grpc-message, grpc-status-details-bin, mcp-session-id";

/**
 * What pages may ask for that the operator does not know: the methods that a chat token opens, the token itself, and title and
 * theme of a widget. The services answer by the rules of the deployment (`restrictChatTokenCallers`); the port only marks who asks.
 */
const EMBEDDABLE: readonly RegExp[] = [
  /^POST \/v1(?:beta|alpha)?\/projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/sessions\/[^/:]+:(?:generateChatToken|runSession|streamRunSession)(?:\?|$)/,
  /^POST \/google\.cloud\.ces\.v1(?:beta)?\.(?:SessionService\/(?:RunSession|StreamRunSession)|WidgetService\/GenerateChatToken)$/,
  /^GET \/v1beta\/projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/deployments\/[^/?]+\?fields=channelProfile\.webWidgetConfig\(webWidgetTitle,theme\)$/,
  /^GET \/ws\/google\.cloud\.ces\.v1(?:beta)?\.SessionService\/BidiRunSession(?:\/locations\/[^/?]+)?\?access_token=/,
];

/**
 * Keeps web pages of other sites from calling this server with their visitors' reach. A browser names the page's origin;
 * it must be the server's own, or one that the operator allows; what other pages may call is `EMBEDDABLE`. Programs name none and pass.
 */
export function guardOrigin(allowed: readonly string[], onlyLocal: boolean, next: HttpHandler): HttpHandler {
  return (request, response) => {
    const { origin } = request.headers;
    const refusal = onlyLocal ? refusedHost(request, allowed) : undefined;
    if (refusal !== undefined) {
      response.writeHead(403, { "content-type": "application/json; charset=UTF-8" });
      response.end(refusal);
      return;
    }
    delete request.headers[EMBEDDED_PAGE];
    if (origin === undefined || isOwn(origin, request)) return next(request, response);
    if (!isAllowed(origin, allowed) && !markEmbedded(request)) {
      response.writeHead(403, { "content-type": "application/json; charset=UTF-8" });
      response.end(refusalOf(origin));
      return;
    }
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("vary", "Origin");
    response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
      return next(request, response);
    response.writeHead(204, {
      "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": "7200",
    });
    response.end();
  };
}

/** The same for WebSocket handshakes, which browsers send across sites without asking. */
export function guardUpgradeOrigin(
  allowed: readonly string[],
  onlyLocal: boolean,
  next: UpgradeHandler,
): UpgradeHandler {
  return (request, socket, head) => {
    const { origin } = request.headers;
    const refusal = onlyLocal ? refusedHost(request, allowed) : undefined;
    delete request.headers[EMBEDDED_PAGE];
    const isKnown = origin === undefined || isOwn(origin, request) || isAllowed(origin, allowed);
    const isWelcome = isKnown || markEmbedded(request);
    if (refusal === undefined && isWelcome) return next(request, socket, head);
    const body = refusal ?? refusalOf(origin ?? "");
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json; charset=UTF-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

/** What nearly every request says where this is asked; reading it as an address costs as much as routing the request. */
const PLAIN_LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * Keeps a name that merely resolves to this machine from being this server. A page of such a name would be the server's
 * own by its origin (DNS rebinding), so a server that only this machine can reach answers to names without a domain, to
 * addresses, to the hosts of allowed origins and to the hosted API's own names, which nobody else can point here (clients of
 * the hosted product keep sending them when only the address behind the name changed). Where others can reach it, its names are not known and none is refused.
 */
export function refusedHost(request: IncomingMessage, allowed: readonly string[]): string | undefined {
  const host = request.headers.host ?? request.headers[":authority"];
  if (typeof host !== "string" || host === "" || allowed.includes("*") || PLAIN_LOCAL.test(host)) return undefined;
  const name = URL.parse(`http://${host}`)?.hostname ?? host;
  // A name without a dot is nobody's domain: `localhost`, or what a container network calls this server.
  const isLocal = !name.includes(".") || name.endsWith(".localhost") || isIP(name) !== 0;
  const isHostedName = name.endsWith(".googleapis.com");
  if (isLocal || isHostedName || allowed.some((origin) => URL.parse(origin)?.host === host)) return undefined;
  const message = `This server does not answer to the name ${host}. The operator can add it with FRONTDESK_ALLOWED_ORIGINS.`;
  return JSON.stringify({ error: { code: 403, message, status: "PERMISSION_DENIED" } });
}

/** Marks a request that any page may make, for the services to decide on; false for all others. A preflight asks for what follows it. */
function markEmbedded(request: IncomingMessage): boolean {
  const { method, url, headers } = request;
  const wanted = method === "OPTIONS" ? headers["access-control-request-method"] : method;
  if (!EMBEDDABLE.some((line) => line.test(`${wanted} ${url}`))) return false;
  headers[EMBEDDED_PAGE] = "1";
  return true;
}

function isAllowed(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes("*") || allowed.includes(origin);
}

function refusalOf(origin: string): string {
  const message = `Pages of ${origin} may not call this server. The operator can allow them with FRONTDESK_ALLOWED_ORIGINS.`;
  return JSON.stringify({ error: { code: 403, message, status: "PERMISSION_DENIED" } });
}

/** The scheme is not compared: behind a proxy that ends TLS it differs, and the host is what tells sites apart. */
function isOwn(origin: string, request: IncomingMessage): boolean {
  const host = request.headers.host ?? request.headers[":authority"];
  try {
    return new URL(origin).host === host;
  } catch {
    return false; // `null`, the origin of pages without one
  }
}
