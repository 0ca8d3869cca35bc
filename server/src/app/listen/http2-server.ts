import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Logger } from "#base";
import type { HttpHandler } from "#protocols";
import type { ListenLimits } from "./limits.ts";

/** An HTTP/2 server that has no port, and the sessions it holds. */
export interface SessionServer {
  readonly server: Http2Server;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
}

/** Connections are given to it; sessions without a request in flight end after a while. */
export function createHttp2Server(handler: HttpHandler, limits: ListenLimits, logger: Logger): SessionServer {
  const settings = { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes };
  // The compatibility objects have the members of HTTP/1.1's, which is all that a handler may use.
  const server = createServer({ settings }, handler as unknown as Parameters<typeof createServer>[1]);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", (error) => logger.debug({ err: error }, "an HTTP/2 connection broke"));
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
  // Bytes of the last answer start the clock anew, so a session that was busy now is asked again later.
  session.setTimeout(idleTimeoutMs, () => {
    if (open === 0) session.close();
  });
}
