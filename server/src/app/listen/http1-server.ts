import { createServer, type IncomingMessage, type Server } from "node:http";
import type { HttpHandler } from "#protocols";
import type { Handlers } from "./handlers.ts";
import type { ListenLimits } from "./limits.ts";

/** An HTTP/1.1 server that has no port: connections are given to it. */
export function createHttp1Server(handler: HttpHandler, upgrade: Handlers["upgrade"], limits: ListenLimits): Server {
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs, 5_000),
    // Clients that would like HTTP/2 ask with `Upgrade: h2c` on plain requests; those go on as what they are.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      upgrade !== undefined && request.headers.upgrade?.toLowerCase() === "websocket",
  };
  const server = createServer(options, handler);
  if (upgrade) server.on("upgrade", upgrade);
  // The watch over slow requests begins with this event, which a server without a port does not have.
  server.emit("listening");
  return server;
}
