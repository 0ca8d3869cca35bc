import type { IncomingMessage } from "node:http";

/** The origin by which a client called, e.g. `http://127.0.0.1:8080`. */
export function originOf(request: IncomingMessage): string {
  const secure = "encrypted" in request.socket && request.socket.encrypted === true;
  return `${secure ? "https" : "http"}://${request.headers.host ?? String(request.headers[":authority"] ?? "")}`;
}
