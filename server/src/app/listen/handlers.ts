import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpHandler, UpgradeHandler } from "#protocols";
import type { Health } from "../health.ts";

/** The handlers of the port. */
export interface Handlers {
  /** `/v1…/`, and every path without another handler. */
  readonly rest: HttpHandler;
  /** `/package.Service/Method`, and every `application/grpc*`. */
  readonly connect: HttpHandler;
  /** `/mcp` and the paths below it, and their protected resource metadata. */
  readonly mcp: HttpHandler;
  /** `/token`: access tokens for keys and for tokens of others. */
  readonly token?: HttpHandler;
  /** `/auth/`: signing in to the console. */
  readonly signIn?: HttpHandler;
  /** `/a2a`, the paths below it, and the agent card of this server. */
  readonly a2a?: HttpHandler;
  /** `/upload/`: files of tools. */
  readonly files?: HttpHandler;
  /** `/batch`: several REST requests in one. */
  readonly batch?: HttpHandler;
  /** `/$discovery/rest` and `/discovery/v1/apis`: what the APIs are. */
  readonly discovery?: HttpHandler;
  /** `/healthz`, `/livez`, `/readyz` and `/metrics`. */
  readonly health?: (path: string, request: IncomingMessage) => Promise<Health>;
  /** Static pages; returns false for other paths. */
  readonly console?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** WebSocket handshakes. Without it they are served like other requests. */
  readonly upgrade?: UpgradeHandler;
}
