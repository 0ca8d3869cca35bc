import type { IncomingMessage, ServerResponse } from "node:http";
import { Code } from "#status";

/** Answers UNIMPLEMENTED to a call of a method that is not registered, in the words of the caller's protocol. */
export function refuseUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  const message = `Method ${request.url ?? ""} is not known to this server.`;
  const contentType = request.headers["content-type"] ?? "";
  request.resume();
  if (contentType.startsWith("application/grpc")) {
    // "Trailers only": the status stands in the headers, and there is no body.
    response.writeHead(200, {
      "content-type": contentType,
      "grpc-status": String(Code.Unimplemented),
      "grpc-message": encodeURI(message.toWellFormed()),
    });
    response.end();
    return;
  }
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ code: "unimplemented", message }));
}
