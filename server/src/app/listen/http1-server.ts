import { createServer, type IncomingMessage, type Server } from "node:http";
import type { HttpHandler } from "#protocols";
import type { Handlers } from "./handlers.ts";
import type { ListenLimits } from "./limits.ts";
import { toOriginForm } from "./origin-form.ts";

/** An HTTP/1.1 server without a port: it gets connections from the listener. */
export function createHttp1Server(handler: HttpHandler, upgrade: Handlers["upgrade"], limits: ListenLimits): Server {
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs, 5_000),
    // Clients that support HTTP/2 send `Upgrade: h2c` with plain requests, which are served as HTTP/1.1.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      upgrade !== undefined && request.headers.upgrade?.toLowerCase() === "websocket",
  };
  const server = createServer(options, (request, response) => {
    toOriginForm(request);
    handler(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    toOriginForm(request);
    upgrade?.(request, socket, head);
  });
  // The check for slow requests starts with this event, which a server without a port does not emit.
  server.emit("listening");
  return server;
}
