import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { JSON_HEADERS, sendJson } from "./send.ts";

/** How long a client may go on sending a body that nobody reads, milliseconds, before the connection is closed. */
const LINGER_MS = 500;

/** Largest Content-Length whose body is read and discarded so that the connection can be kept. */
const SMALL_BODY = 64 * 1024;

/**
 * Sends a JSON text as the response to a request whose body may not have been read. The rest of the body is discarded for a moment:
 * a client whose connection is reset while it writes would not get the response.
 */
export async function sendEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (request.complete || request.readableEnded) return sendJson(request, response, status, text, headers);
  if ("stream" in response) {
    // The event of the stream: the compatibility object emits it only when the client has ended its side.
    const { stream } = response as unknown as { readonly stream: ServerHttp2Stream };
    stream.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
    return sendJson(request, response, status, text, headers);
  }
  if (!(Number(request.headers["content-length"]) <= SMALL_BODY)) response.shouldKeepAlive = false;
  response.writeHead(status, { ...JSON_HEADERS, ...headers, "content-length": Buffer.byteLength(text) });
  response.write(text);
  endAfterBody(request, response);
}

/** The client has the whole response by its Content-Length. Its end, which releases the connection, waits for the body. */
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

/** Discards the rest of a body that nobody reads, for a moment: before a response that ends the connection, which the client may still write to. */
export function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", end).once("close", end).resume();
  });
}
