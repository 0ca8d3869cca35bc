import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import type { HttpHandler } from "../contract.ts";
import { BackpressureQueue } from "../http/backpressure-queue.ts";
import type { BatchPart } from "./parse-batch.ts";

/** Headers that a part may have of its own. All others are those of the batch: where it comes from and who asks is not for a part to say. */
const OWN_HEADERS =
  /^(?:authorization|content-type|content-encoding|x-goog-[\w-]+|x-http-method-override|x-server-timeout)$/;

/** Headers of the batch that are of its own body or connection. */
const OUTER_HEADERS = /^(?:content-.*|transfer-encoding|accept-encoding|connection|expect|x-http-method-override)$/;

/**
 * Serves one request of a batch as if it had come by itself. Returns the bytes of its response; none when the response was given up. A response that
 * nobody reads yet waits, as on the connection of a client that reads slowly.
 */
export function serveInner(
  part: Omit<BatchPart, "id">,
  outer: IncomingMessage,
  signal: AbortSignal,
  handler: HttpHandler,
): AsyncIterable<Buffer> {
  const request = innerRequest(part, outer);
  const response = new ServerResponse(request);
  const sink = new AnswerSink();
  response.sendDate = false;
  // A stream that is written instead of a connection: what Node would send is what the part of the answer holds.
  response.assignSocket(sink as unknown as Socket);
  // Node's server does both for the responses of its connections.
  Object.defineProperty(response, "writableNeedDrain", { get: () => sink.writableNeedDrain });
  sink.on("drain", () => response.emit("drain"));
  const giveUp = () => sink.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  sink.once("close", () => signal.removeEventListener("abort", giveUp));
  // As on a connection, the response is closed after its end.
  response.once("finish", giveUp);
  handler(request, response);
  return sink.answer;
}

/** What is written here is an answer to read; who writes is held up while much of it is not read. */
class AnswerSink extends Writable {
  readonly answer: AsyncIterable<Buffer>;
  readonly #queue: BackpressureQueue<Buffer>;
  #isFull = false;
  #goOn: (() => void) | undefined;

  constructor() {
    super();
    this.#queue = new BackpressureQueue({
      pause: () => {
        this.#isFull = true;
      },
      resume: () => {
        this.#isFull = false;
        this.#goOn?.();
        this.#goOn = undefined;
      },
    });
    this.answer = this.#queue;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#queue.push(chunk, chunk.length);
    if (this.#isFull) this.#goOn = done;
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#queue.end();
    done(error);
  }
}

/** `HTTP/1.0`: a response whose length is not known is not chunked. */
function innerRequest(
  { method, target, headers, body }: Omit<BatchPart, "id">,
  outer: IncomingMessage,
): IncomingMessage {
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
