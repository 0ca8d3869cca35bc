import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { JSON_HEADERS, sendJson } from "./send.ts";

/** How long a client may go on sending a body that was refused, milliseconds, before the connection is cut. */
const LINGER_MS = 500;

/** A body that announces at most this many bytes more is waited for, and the connection is kept. */
const SMALL_BODY = 64 * 1024;

/**
 * Sends a JSON text as the answer to a request whose body may not have been read. What still comes is thrown away, for a
 * moment: a connection that is reset while the client writes would cost it the answer.
 */
export async function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (request.complete || request.readableEnded) return sendJson(request, response, status, text, headers);
  if ("stream" in response) {
    // The stream's own event: the compatibility object tells it only when the client has ended its side.
    const { stream } = response as unknown as { readonly stream: ServerHttp2Stream };
    stream.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
    return sendJson(request, response, status, text, headers);
  }
  if (!(Number(request.headers["content-length"]) <= SMALL_BODY)) response.shouldKeepAlive = false;
  response.writeHead(status, { ...JSON_HEADERS, ...headers, "content-length": Buffer.byteLength(text) });
  response.write(text);
  endAfterBody(request, response);
}

/** The answer is whole by its length; its end, which lets the connection go, waits for the client. */
function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => {
    response.shouldKeepAlive = false;
    response.end();
    request.destroy();
  }, LINGER_MS);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  request.once("end", end);
  request.once("close", end);
  request.resume();
}
