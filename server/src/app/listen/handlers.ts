import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpHandler, UpgradeHandler } from "#protocols";
import type { Health } from "../health.ts";

/** What is mounted on the port. */
export interface Handlers {
  /** `/v1…/`, and whatever nobody else serves. */
  readonly rest: HttpHandler;
  /** `/package.Service/Method`, and every `application/grpc*`. */
  readonly connect: HttpHandler;
  /** `/mcp` and what is below it, and what says who issues tokens for it. */
  readonly mcp: HttpHandler;
  /** `/upload/`: files of tools. */
  readonly files?: HttpHandler;
  /** `/healthz`, `/readyz` and `/metrics`; `accept` is what the caller would like to read. */
  readonly health?: (path: string, accept: string) => Promise<Health>;
  /** Static pages; answers false when the path is not its business. */
  readonly console?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** WebSocket handshakes. Without it they are served like plain requests. */
  readonly upgrade?: UpgradeHandler;
}
