import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** Below this many characters, compressing costs more than it saves on the way. */
const COMPRESS_FROM = 8 * 1024;

/** How long a client may go on sending a body that was refused, milliseconds, before the connection is cut. */
const LINGER_MS = 1_000;

/** Sends a JSON text as the whole answer, compressed when it is large and the client takes gzip. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const common = {
    "content-type": "application/json; charset=UTF-8",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
    ...headers,
  };
  const packed = text.length >= COMPRESS_FROM && takesGzip(request);
  // A text goes out together with the headers, in one write.
  const body = packed ? await compress(text) : text;
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...common,
    ...(packed && { "content-encoding": "gzip" }),
    "content-length": Buffer.byteLength(body),
  });
  if (request.method === "HEAD") response.end();
  else response.end(body);
}

/**
 * Lets go of a request whose body will not be read: over HTTP/2 the stream is closed, over HTTP/1.1 the connection is,
 * after the client had a moment to read the answer. To be called before the answer is sent.
 */
export function abandonBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.readableEnded) return;
  if ("stream" in response) {
    // The stream's own event: the compatibility object tells it only when the client has ended its side.
    const { stream } = response as unknown as { readonly stream: ServerHttp2Stream };
    stream.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
    return;
  }
  response.shouldKeepAlive = false;
  response.once("finish", () => {
    // What still comes is thrown away: a reset while the client is writing would cost it the answer.
    request.resume();
    const timer = setTimeout(() => request.destroy(), LINGER_MS);
    request.once("close", () => clearTimeout(timer));
  });
}

/** Cuts an answer off, so that the client cannot take it for a whole one. */
export function abort(response: ServerResponse): void {
  if ("stream" in response)
    (response as unknown as { readonly stream: { close(code: number): void } }).stream.close(
      constants.NGHTTP2_INTERNAL_ERROR,
    );
  else response.destroy();
}

function takesGzip(request: IncomingMessage): boolean {
  const accepted = request.headers["accept-encoding"];
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$|\s))/i.test(String(accepted));
}
