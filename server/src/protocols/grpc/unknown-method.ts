import type { IncomingMessage, ServerResponse } from "node:http";
import { Code } from "#status";

/** Sends UNIMPLEMENTED for a method that is not registered, in the form of the caller's protocol. */
export function sendUnknownMethod(request: IncomingMessage, response: ServerResponse): void {
  const message = `Method ${request.url ?? ""} is not known to this server.`;
  const contentType = request.headers["content-type"] ?? "";
  request.resume();
  const status = { "grpc-status": String(Code.Unimplemented), "grpc-message": encodeURI(message.toWellFormed()) };
  if (contentType.startsWith("application/grpc-web")) {
    // Browsers do not see trailers; a response without a body may have the status in its headers.
    response.writeHead(200, { "content-type": contentType, ...status });
    response.end();
    return;
  }
  if (contentType.startsWith("application/grpc")) {
    response.writeHead(200, { "content-type": contentType });
    response.addTrailers(status);
    response.end();
    return;
  }
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ code: "unimplemented", message }));
}
