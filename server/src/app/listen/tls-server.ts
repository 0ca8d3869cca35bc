import type { Server as Http1Server } from "node:http";
import type { Http2Server } from "node:http2";
import { createServer, type Server } from "node:tls";
import type { Logger } from "#base";
import type { ListenLimits } from "./limits.ts";

/** PEM texts. */
export interface TlsIdentity {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Authorities of client certificates. Default: clients are not asked for one. */
  readonly clientCa?: string | Buffer;
}

/** Gives connections that come from now on another identity; whether clients are asked for a certificate stays. */
export function replaceIdentity(server: Server, identity: TlsIdentity): void {
  server.setSecureContext(secretsOf(identity));
}

function secretsOf({ cert, key, clientCa }: TlsIdentity) {
  return { cert, key, ...(clientCa !== undefined && { ca: clientCa }) };
}

/** Terminates TLS and passes the connection to the server that the client chose by ALPN; without a choice, to HTTP/1.1. */
export function createTlsServer(
  identity: TlsIdentity,
  http1: Http1Server,
  http2: Http2Server,
  limits: ListenLimits,
  logger: Logger,
): Server {
  const options = {
    ...secretsOf(identity),
    // A client without a certificate may have another credential, so none is turned away here.
    ...(identity.clientCa !== undefined && { requestCert: true, rejectUnauthorized: false }),
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: limits.headersTimeoutMs,
  };
  const server = createServer(options, (socket) => {
    (socket.alpnProtocol === "h2" ? http2 : http1).emit("connection", socket);
  });
  server.on("tlsClientError", (error) => logger.debug({ err: error }, "a TLS handshake failed"));
  return server;
}
