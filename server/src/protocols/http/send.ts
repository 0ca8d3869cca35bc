import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:http2";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { yieldToEventLoop } from "#base";

const compress = promisify(gzip);

/** Shorter texts are not compressed: it would take longer than it saves. */
const COMPRESS_FROM = 8 * 1024;

/** Characters whose encoding takes milliseconds. */
const LONG_TEXT = 1024 * 1024;

export const JSON_HEADERS = {
  "content-type": "application/json; charset=UTF-8",
  "x-content-type-options": "nosniff",
} as const;

/** Sends a JSON text as the whole response, compressed when it is large and the client accepts gzip. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  // The text was just made: other calls run before it is made bytes of.
  if (text.length > LONG_TEXT) await yieldToEventLoop();
  const compressed = text.length >= COMPRESS_FROM && acceptsGzip(request);
  // A text is sent together with the headers, in one write.
  const body = compressed ? await compress(text) : text;
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...JSON_HEADERS,
    vary: variedBy(response, "Accept-Encoding"),
    ...headers,
    ...(compressed && { "content-encoding": "gzip" }),
    "content-length": Buffer.byteLength(body),
  });
  if (request.method === "HEAD") response.end();
  else response.end(body);
}

/** The Vary header of a response that also depends on this request header: the listener has set Origin (WIRE-16). */
function variedBy(response: ServerResponse, header: string): string {
  const before = response.getHeader("vary");
  response.removeHeader("vary"); // It comes after the content type, where clients and tests of raw responses look first.
  return before === undefined ? header : `${before}, ${header}`;
}

/** Writes a part of a response. Returns a promise when the client reads slowly. */
export function write(response: ServerResponse, part: string | Uint8Array): Promise<void> | undefined {
  return response.destroyed || response.write(part) ? undefined : drained(response);
}

/** Resolves when the client has read what waits for it, or has disconnected. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

/** Aborts a response, so that the client cannot take it for complete. */
export function abort(response: ServerResponse): void {
  if ("stream" in response)
    (response as unknown as { readonly stream: { close(code: number): void } }).stream.close(
      constants.NGHTTP2_INTERNAL_ERROR,
    );
  else response.destroy();
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers["accept-encoding"];
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$|\s))/i.test(String(accepted));
}
