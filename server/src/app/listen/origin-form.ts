import type { IncomingMessage } from "node:http";

/**
 * A request whose target is a whole address, as some proxies send it, is one for the path in it, and the host in it is the one that was called, whatever `Host` says (WIRE-78).
 * Others stay as they are.
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  const address = url.startsWith("/") ? null : /^https?:\/\/([^/?#]+)([^#]*)/i.exec(url);
  if (!address) return;
  const [, host = "", target = ""] = address;
  request.headers.host = host;
  request.url = target.startsWith("/") ? target : `/${target}`;
}
