import type { IncomingMessage, ServerResponse } from "node:http";
import { TOKEN_PATH } from "#identity";
import { type HttpHandler, isA2aPath, isBatchPath, isDiscoveryPath, requestPath } from "#protocols";
import type { Health } from "../health.ts";
import type { Handlers } from "./handlers.ts";

/** Selects the handler of a request by path and content type: one connection may have requests of all protocols. */
export function createDispatch({
  rest,
  connect,
  mcp,
  token,
  signIn,
  a2a,
  files,
  batch,
  discovery,
  health,
  console,
}: Handlers): HttpHandler {
  return (request, response) => {
    const path = requestPath(request);
    if (health && HEALTH_PATHS.has(path)) return sendHealth(health(path, request), response);
    if (path === "/mcp" || path.startsWith("/mcp/") || path.startsWith(RESOURCE_METADATA))
      return mcp(request, response);
    if (token && path === TOKEN_PATH) return token(request, response);
    if (signIn && path.startsWith("/auth/")) return signIn(request, response);
    if (a2a && isA2aPath(path)) return a2a(request, response);
    if (files && path.startsWith("/upload/")) return files(request, response);
    if (batch && isBatchPath(path)) return batch(request, response);
    if (discovery && isDiscoveryPath(path)) return discovery(request, response);
    if (isRpc(request, path)) return connect(request, response);
    if (console?.(request, response)) return;
    rest(request, response);
  };
}

const HEALTH_PATHS: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/metrics"]);

/** Protected resource metadata of the MCP endpoints (RFC 9728). */
const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** `/google.cloud.ces.v1.AgentService/GetApp`: no REST path begins with a dotted name. */
const METHOD_PATH = /^\/[a-z]\w*(?:\.\w+)+\/[A-Z]\w*$/;

function isRpc({ headers, method }: IncomingMessage, path: string): boolean {
  if (headers["content-type"]?.startsWith("application/grpc")) return true;
  return (method === "POST" || method === "GET") && METHOD_PATH.test(path);
}

function sendHealth(health: Promise<Health>, response: ServerResponse): void {
  const send = ({ status, body, contentType = "text/plain; charset=utf-8", headers }: Health): void => {
    response.writeHead(status, { "content-type": contentType, "cache-control": "no-store", ...headers });
    response.end(body);
  };
  health.then(send, (error: unknown) => send({ status: 503, body: `${String(error)}\n` }));
}
