import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { Logger } from "#base";
import { type HttpHandler, requestPath, type UpgradeHandler } from "#protocols";
import { detectProtocol } from "./detect-protocol.ts";
import { createDispatch } from "./dispatch.ts";
import type { Handlers } from "./handlers.ts";
import { createHttp1Server } from "./http1-server.ts";
import { createHttp2Server, type SessionServer } from "./http2-server.ts";
import { InFlight } from "./in-flight.ts";
import { DEFAULT_LIMITS, type ListenLimits } from "./limits.ts";
import { guardOrigin, guardUpgradeOrigin } from "./origin.ts";
import { createTlsServer, replaceIdentity, type TlsIdentity } from "./tls-server.ts";

interface ListenOptions {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly handlers: Handlers;
  readonly logger: Logger;
  readonly limits?: Partial<ListenLimits>;
  /** Certificate and key for TLS on the same port, next to plaintext. Default: no TLS. */
  readonly tls?: TlsIdentity;
  /** Web origins besides the server's own whose pages may call it; `*` for any. Default none. */
  readonly allowedOrigins?: readonly string[];
}

/** An open port. */
interface Listener {
  /** The bound address; IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** Gives new connections another certificate; does nothing where the port has no TLS. */
  replaceTls(identity: TlsIdentity): void;
  /**
   * Stops accepting connections, asks clients to disconnect (GOAWAY, `Connection: close`), waits for responses in flight (at most
   * `graceMs`), calls `giveUp` where there are some left, gives these a second to be sent, then destroys the remaining connections.
   */
  close(graceMs: number, giveUp?: () => void): Promise<void>;
}

/**
 * Opens one TCP port for HTTP/1.1, HTTP/2 with prior knowledge, and both over TLS, distinguished by the first bytes of a connection.
 * Path and content type of each request select its protocol.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { handlers, logger, tls, allowedOrigins = [] } = options;
  const limits: ListenLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const inFlight = new InFlight();
  const onlyLocal = isLoopback(options.host);
  const dispatch = guardOrigin(allowedOrigins, onlyLocal, createDispatch(handlers));
  const handler: HttpHandler = (request, response) => {
    inFlight.add(response);
    try {
      dispatch(request, response);
    } catch (error) {
      // A fault in serving one request must not end others.
      logger.error({ err: error, path: requestPath(request) }, "a request could not be dispatched");
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };
  const guarded = handlers.upgrade && guardUpgradeOrigin(allowedOrigins, onlyLocal, handlers.upgrade);
  const upgrade: UpgradeHandler | undefined =
    guarded &&
    ((request, socket, head) => {
      socket.on("error", (error) => logger.debug({ err: error }, "a connection failed"));
      inFlight.addSocket(socket);
      guarded(request, socket, head);
    });
  const http1 = createHttp1Server(handler, upgrade, limits);
  const http2 = createHttp2Server(handler, limits, logger);
  const secure = tls && createTlsServer(tls, http1, http2.server, limits, logger);
  const sockets = new Set<Socket>();
  const undetected = new Set<Socket>();
  const tcp = createTcpServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    undetected.add(socket);
    socket.on("error", (error) => logger.debug({ err: error }, "a connection failed"));
    socket.once("close", () => {
      sockets.delete(socket);
      undetected.delete(socket);
    });
    detectProtocol(socket, limits.headersTimeoutMs, (protocol) => {
      undetected.delete(socket);
      const server = { tls: secure, http2: http2.server, http1 }[protocol];
      if (server) server.emit("connection", socket);
      else socket.destroy();
    });
  });
  tcp.maxConnections = limits.maxConnections;
  const { address, port } = await open(tcp, options.host, options.port);
  tcp.on("error", (error) => logger.error({ err: error }, "the port failed"));
  const replaceTls = (identity: TlsIdentity) => secure && replaceIdentity(secure, identity);
  return {
    address,
    port,
    replaceTls,
    close: (graceMs, giveUp) => close({ tcp, http1, http2, inFlight, sockets, undetected }, graceMs, giveUp),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function open(tcp: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    tcp.once("error", reject);
    tcp.listen(port, host, () => {
      tcp.off("error", reject);
      // A server that listens on a port has an address of this form.
      resolve(tcp.address() as AddressInfo);
    });
  });
}

interface OpenPort {
  readonly tcp: Server;
  readonly http1: HttpServer;
  readonly http2: SessionServer;
  readonly inFlight: InFlight;
  readonly sockets: ReadonlySet<Socket>;
  /** Connections whose protocol is not known yet. */
  readonly undetected: ReadonlySet<Socket>;
}

/** Milliseconds for answers of what was given up. */
const LAST_ANSWERS_MS = 1_000;

async function close(
  { tcp, http1, http2, inFlight, sockets, undetected }: OpenPort,
  graceMs: number,
  giveUp: (() => void) | undefined,
): Promise<void> {
  const closed = new Promise<void>((resolve) => tcp.close(() => resolve()));
  for (const socket of undetected) socket.destroy();
  // Also stops the check for slow requests, and closes idle connections.
  http1.close();
  const sessions = [...http2.sessions].map((session) => new Promise<void>((resolve) => session.close(resolve)));
  const ended = Promise.all([inFlight.drained(), ...sessions]).then(() => true);
  if (!(await within(graceMs, ended)) && giveUp) {
    giveUp();
    await within(LAST_ANSWERS_MS, ended);
  }
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** Whether it resolved in time. */
async function within(milliseconds: number, ended: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  const inTime = await Promise.race([late.promise, ended]);
  clearTimeout(timer);
  return inTime;
}
