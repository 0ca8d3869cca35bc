import type { IncomingMessage, ServerResponse } from "node:http";
import { Code } from "#status";

/** Answers UNIMPLEMENTED to a call of a method that is not registered, in the words of the caller's protocol. */
export function refuseUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  const message = `Method ${request.url ?? ""} is not known to this server.`;
  const contentType = request.headers["content-type"] ?? "";
  request.resume();
  const status = { "grpc-status": String(Code.Unimplemented), "grpc-message": encodeURI(message.toWellFormed()) };
  if (contentType.startsWith("application/grpc-web")) {
    // Browsers see no trailers; without a body the status may stand in the headers.
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
