import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Logger } from "#base";
import type { HttpHandler } from "#protocols";
import type { ListenLimits } from "./limits.ts";

/** An HTTP/2 server without a port, and its sessions. */
export interface SessionServer {
  readonly server: Http2Server;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
}

/** It gets connections from the listener; sessions without a request in flight end after a while. */
export function createHttp2Server(handler: HttpHandler, limits: ListenLimits, logger: Logger): SessionServer {
  const settings = { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes };
  // The compatibility objects have the members of HTTP/1.1 objects, and handlers use no others.
  const server = createServer({ settings }, handler as unknown as Parameters<typeof createServer>[1]);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", (error) => logger.debug({ err: error }, "an HTTP/2 connection failed"));
    closeWhenIdle(session, limits.idleTimeoutMs);
  });
  return { server, sessions };
}

function closeWhenIdle(session: ServerHttp2Session, idleTimeoutMs: number): void {
  let open = 0;
  session.on("stream", (stream) => {
    open++;
    stream.once("close", () => open--);
  });
  // The timer restarts with every byte, so a session that is busy now is checked again later.
  session.setTimeout(idleTimeoutMs, () => {
    if (open === 0) session.close();
  });
}
