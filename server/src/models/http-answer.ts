import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { HttpRequest } from "./http-call.ts";

/** Beyond this many bytes that nobody has read yet, the socket is paused. */
const HIGH_WATER = 1 << 20;
/** The longest whole answer that is taken: far above any model's longest, small enough to live through. */
const MAX_WHOLE = 64 << 20;

/**
 * The answer to one POST, pulled piece by piece. It listens to undici directly, because a readable stream with its async
 * iterator costs more than everything else in a call.
 */
export class HttpAnswer {
  status = 0;
  headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #state: "open" | "ended" | "failed" | "left" = "open";
  #failure: unknown;
  #wake: (() => void) | undefined;

  /** Sends a request through a dispatcher; resolves at the headers. */
  static to(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const answer = new HttpAnswer();
      // Rejects at once even while the connection is still being made.
      const onAbort = () => {
        answer.#chunks = [];
        answer.#fail(signal.reason);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const options = {
        origin: request.origin,
        path: request.path,
        method: "POST" as const,
        headers: request.headers as string[],
        body: request.body,
      };
      dispatcher.dispatch(options, {
        onRequestStart: (controller) => answer.#start(controller),
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return;
          answer.status = status;
          answer.headers = headers;
          resolve(answer);
        },
        onResponseData: (_controller, chunk) => answer.#push(chunk),
        onResponseEnd: () => {
          signal.removeEventListener("abort", onAbort);
          answer.#end();
        },
        onResponseError: (_controller, error) => {
          signal.removeEventListener("abort", onAbort);
          answer.#fail(error);
          reject(error);
        },
      });
    });
  }

  /** The next piece of the body, `undefined` after the last. Rejects when the connection broke or the call was aborted. */
  async read(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0) {
      if (this.#state === "failed") throw this.#failure;
      if (this.#state !== "open") return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#take();
  }

  /** The whole body, as text. */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.read(); chunk; chunk = await this.read()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_WHOLE) throw new Error(`the answer is longer than ${MAX_WHOLE} bytes`);
    }
    const [only] = chunks;
    return only && chunks.length === 1 ? only.toString("utf8") : Buffer.concat(chunks, size).toString("utf8");
  }

  /** Nothing more is wanted though more may come; the rest is thrown away as it comes, so that the connection stays good. */
  release(): void {
    if (this.#state !== "open") return;
    this.#state = "left";
    this.#chunks = [];
    if (this.#controller?.paused) this.#controller.resume();
  }

  /** Ends the call and its socket, if it has not ended by itself. */
  abort(): void {
    if (this.#state === "open") this.#fail(new DOMException("The answer was not read to its end.", "AbortError"));
  }

  #start(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === "failed") controller.abort(asError(this.#failure));
  }

  #push(chunk: Buffer): void {
    if (this.#state !== "open") return;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting > HIGH_WATER) this.#controller?.pause();
    this.#rouse();
  }

  #take(): Buffer | undefined {
    const chunk = this.#chunks.shift();
    this.#waiting -= chunk?.length ?? 0;
    if (this.#controller?.paused && this.#waiting <= HIGH_WATER) this.#controller.resume();
    return chunk;
  }

  #end(): void {
    if (this.#state === "open") this.#state = "ended";
    this.#rouse();
  }

  #fail(failure: unknown): void {
    const { aborted } = this.#controller ?? { aborted: true };
    if (this.#state === "open" || this.#state === "left") {
      this.#state = "failed";
      this.#failure = failure;
    }
    if (!aborted) this.#controller?.abort(asError(failure));
    this.#rouse();
  }

  #rouse(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new DOMException(String(failure), "AbortError");
}
