import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpHandler, UpgradeHandler } from "#protocols";
import { EMBEDDED_PAGE } from "#services";

/** What the clients of the API send, generated ones and the demo of gRPC-Web included (WIRE-16). */
const ALLOWED_HEADERS =
  "authorization, content-type, connect-protocol-version, connect-timeout-ms, custom-header-1, grpc-timeout, idempotency-key, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-frontdesk-chart, x-frontdesk-trace, x-goog-api-client, x-goog-api-key, x-goog-fieldmask, x-goog-request-params, x-goog-user-project, x-grpc-web, x-server-timeout, x-user-agent";
const EXPOSED_HEADERS = "grpc-status, grpc-message, grpc-status-details-bin, mcp-session-id";

/**
 * What pages of unknown origins may call: the methods for chat tokens, the method that issues them, and title and theme of a widget. The
 * services apply the rules of the deployment (`restrictChatTokenCallers`); the listener only marks such requests.
 */
const EMBEDDABLE: readonly RegExp[] = [
  /^POST \/v1(?:beta|alpha)?\/projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/sessions\/[^/:]+:(?:generateChatToken|runSession|streamRunSession)(?:\?|$)/,
  /^POST \/google\.cloud\.ces\.v1(?:beta)?\.(?:SessionService\/(?:RunSession|StreamRunSession)|WidgetService\/GenerateChatToken)$/,
  /^GET \/v1beta\/projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/deployments\/[^/?]+\?fields=channelProfile\.webWidgetConfig\(webWidgetTitle,theme\)$/,
  /^GET \/ws\/google\.cloud\.ces\.v1(?:beta)?\.SessionService\/BidiRunSession(?:\/locations\/[^/?]+)?\?access_token=/,
];

/**
 * Rejects requests of web pages of other sites, whose browsers can reach this server. The Origin header must be the server's own or one
 * that the operator allows; other pages may call `EMBEDDABLE`. Programs send no Origin and pass.
 */
export function guardOrigin(allowed: readonly string[], onlyLocal: boolean, next: HttpHandler): HttpHandler {
  return (request, response) => {
    const { origin } = request.headers;
    if (namesTwoHosts(request)) return sendRefusal(response, 400, TWO_HOSTS);
    const hostError = onlyLocal ? hostErrorOf(request, allowed) : undefined;
    if (hostError !== undefined) return sendRefusal(response, 403, hostError);
    delete request.headers[EMBEDDED_PAGE];
    // Also on responses to callers without an Origin: a cache must not give them to a page.
    response.setHeader("vary", "Origin");
    if (origin === undefined || isOwn(origin, request)) return next(request, response);
    if (!isAllowed(origin, allowed) && !markEmbedded(request)) return sendRefusal(response, 403, originError(origin));
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
    // Only for origins that the operator names: with `*`, any page could use the cookies of a proxy before this server.
    if (allowed.includes(origin)) response.setHeader("access-control-allow-credentials", "true");
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
      return next(request, response);
    response.writeHead(204, {
      "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
      "access-control-allow-headers": allowedHeaders(request, isAllowed(origin, allowed)),
      "access-control-max-age": "7200",
    });
    response.end();
  };
}

/** The pages that the operator allows may send any header, e.g. metadata of their own. */
function allowedHeaders({ headers }: IncomingMessage, isAllowedPage: boolean): string {
  const requested = headers["access-control-request-headers"];
  return isAllowedPage && requested && HEADER_NAMES.test(requested)
    ? `${ALLOWED_HEADERS}, ${requested}`
    : ALLOWED_HEADERS;
}

const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

/** The same for WebSocket handshakes, which browsers send across sites without a preflight. */
export function guardUpgradeOrigin(
  allowed: readonly string[],
  onlyLocal: boolean,
  next: UpgradeHandler,
): UpgradeHandler {
  return (request, socket, head) => {
    const { origin } = request.headers;
    if (namesTwoHosts(request)) return refuseUpgrade(socket, "400 Bad Request", TWO_HOSTS);
    const hostError = onlyLocal ? hostErrorOf(request, allowed) : undefined;
    delete request.headers[EMBEDDED_PAGE];
    const isKnown = origin === undefined || isOwn(origin, request) || isAllowed(origin, allowed);
    const isPermitted = isKnown || markEmbedded(request);
    if (hostError === undefined && isPermitted) return next(request, socket, head);
    refuseUpgrade(socket, "403 Forbidden", hostError ?? originError(origin ?? ""));
  };
}

function refuseUpgrade(socket: Duplex, status: string, body: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=UTF-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const TWO_HOSTS = JSON.stringify({
  error: { code: 400, message: "The request has more than one Host header.", status: "INVALID_ARGUMENT" },
});

/** Node takes the first of several, a proxy may take another (RFC 9112, 3.2): what is compared with `Origin` is then not what was called. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** The Host of nearly every request to a local server; parsing it as a URL would take as long as routing the request. */
const PLAIN_LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * Rejects host names that only resolve to this machine (DNS rebinding): by its origin, a page of such a name would be the server's own.
 * A server that only this machine can reach accepts names without a domain, addresses, the hosts of allowed origins, and the host
 * names of the hosted API, which nobody else can point here (clients of the hosted product keep sending them). A server that others can
 * reach does not know its names and accepts all. Returns the error body; undefined for an accepted host.
 */
function hostErrorOf(request: IncomingMessage, allowed: readonly string[]): string | undefined {
  const host = request.headers.host ?? request.headers[":authority"];
  if (typeof host !== "string" || host === "" || allowed.includes("*") || PLAIN_LOCAL.test(host)) return undefined;
  const name = URL.parse(`http://${host}`)?.hostname ?? UNREADABLE;
  // A name without a dot is not a public domain: `localhost`, or the name of this server in a container network.
  const isLocal = !name.includes(".") || name.endsWith(".localhost") || isIP(name) !== 0;
  const isHostedName = name.endsWith(".googleapis.com");
  if (isLocal || isHostedName || allowed.some((origin) => URL.parse(origin)?.host === host)) return undefined;
  const message = `The host name ${host} is not one of this server. The operator can allow it with FRONTDESK_ALLOWED_ORIGINS.`;
  return JSON.stringify({ error: { code: 403, message, status: "PERMISSION_DENIED" } });
}

/** Stands for a host that is none, such as `[evil`: a name with a dot, which nobody has. */
const UNREADABLE = "unreadable.invalid";

/** Marks a request that any page may make, and returns true; false for all others. A preflight counts as the request that follows. */
function markEmbedded(request: IncomingMessage): boolean {
  const { method, url, headers } = request;
  const actualMethod = method === "OPTIONS" ? headers["access-control-request-method"] : method;
  if (!EMBEDDABLE.some((pattern) => pattern.test(`${actualMethod} ${url}`))) return false;
  headers[EMBEDDED_PAGE] = "1";
  return true;
}

function isAllowed(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes("*") || allowed.includes(origin);
}

function sendRefusal(response: ServerResponse, status: 400 | 403, body: string): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8" });
  response.end(body);
}

function originError(origin: string): string {
  const message = `Pages of ${origin} may not call this server. The operator can allow them with FRONTDESK_ALLOWED_ORIGINS.`;
  return JSON.stringify({ error: { code: 403, message, status: "PERMISSION_DENIED" } });
}

/** The scheme is not compared: it differs behind a proxy that terminates TLS, and the host identifies the site. */
function isOwn(origin: string, request: IncomingMessage): boolean {
  const host = request.headers.host ?? request.headers[":authority"];
  try {
    return new URL(origin).host === host;
  } catch {
    return false; // `null`, the origin of pages without one
  }
}
