import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import type { HttpHandler } from "../contract.ts";
import type { BatchPart } from "./parse-batch.ts";

/** Headers that a part may have of its own. All others are those of the batch: where it comes from and who asks is not for a part to say. */
const OWN_HEADERS =
  /^(?:authorization|content-type|content-encoding|x-goog-[\w-]+|x-http-method-override|x-server-timeout)$/;

/** Headers of the batch that are of its own body or connection. */
const OUTER_HEADERS = /^(?:content-.*|transfer-encoding|accept-encoding|connection|expect|x-http-method-override)$/;

/** Serves one request of a batch as if it had come by itself. Resolves to the bytes of its response; none when the response was given up. */
export function serveInner(
  part: BatchPart,
  outer: IncomingMessage,
  signal: AbortSignal,
  handler: HttpHandler,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
    });
    const request = innerRequest(part, outer);
    const response = new ServerResponse(request);
    response.sendDate = false;
    // A stream that is written instead of a connection: what Node would send is what the part of the answer holds.
    response.assignSocket(sink as unknown as Socket);
    const giveUp = () => sink.destroy();
    signal.addEventListener("abort", giveUp, { once: true });
    // As on a connection, the response is closed after its end.
    response.once("finish", () => sink.destroy());
    sink.once("close", () => {
      signal.removeEventListener("abort", giveUp);
      resolve(Buffer.concat(chunks));
    });
    handler(request, response);
  });
}

/** `HTTP/1.0`: a response whose length is not known is not chunked. */
function innerRequest({ method, target, headers, body }: BatchPart, outer: IncomingMessage): IncomingMessage {
  const inherited = Object.entries(outer.headers).filter(
    ([name]) => !name.startsWith(":") && !OUTER_HEADERS.test(name),
  );
  const own = [...headers].filter(([name]) => OWN_HEADERS.test(name));
  const { ":authority": authority } = outer.headers;
  const all = { ...(authority !== undefined && { host: authority }), ...Object.fromEntries([...inherited, ...own]) };
  const request = Readable.from(body.length > 0 ? [body] : [], { objectMode: false });
  return Object.assign(request, {
    ...{ method, url: target, headers: all, socket: outer.socket, complete: true },
    ...{ httpVersion: "1.0", httpVersionMajor: 1, httpVersionMinor: 0 },
    ...("stream" in outer && { stream: outer.stream }),
  }) as unknown as IncomingMessage;
}
