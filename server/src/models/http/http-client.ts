import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";

/** A POST of JSON text to a provider. */
export interface HttpRequest {
  /** Scheme, host and port, e.g. `https://api.openai.com`. */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  /** Names and values alternate, the form that undici uses without copying. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly signal: AbortSignal;
}

/** How long a provider may take, in milliseconds. */
export interface Timeouts {
  /** To connect, TLS included. Default 10,000. */
  readonly connectMs: number;
  /** Until the response begins. Default 300,000: reasoning models are silent for minutes. */
  readonly answerMs: number;
  /** Between two chunks of the response (TURN-94). Default `answerMs`, since some servers begin a response and think then. */
  readonly pauseMs?: number;
}

/**
 * A proxy between this server and providers at `https` addresses, and the hosts that are reached without it (comma-separated).
 * Plain `http` is for servers of the operator's own network and uses no proxy.
 */
export interface ProxyConfig {
  readonly url: string;
  readonly except: string;
}

/** Keep-alive connections to providers: one pool per origin. */
export interface HttpClient {
  /** Sends the request and resolves at the status and headers of the response. Rejects with undici's error, or the signal's reason. */
  post(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** Longer than a user's pause between two turns, shorter than the idle limit of the providers' load balancers. */
const KEEP_ALIVE_MS = 60_000;

/** Creates the pools; connections open with the first call. */
export function createHttpClient(timeouts: Timeouts, proxy?: ProxyConfig): HttpClient {
  const options: Pool.Options = {
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.answerMs,
    bodyTimeout: timeouts.pauseMs ?? timeouts.answerMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A call cut short closes its own socket and no other call's; over HTTP/2 all calls of an origin would share one.
    allowH2: false,
  };
  const pools = new Map<string, Dispatcher>();

  function poolFor(origin: string): Dispatcher {
    let pool = pools.get(origin);
    if (!pool) {
      pool = proxy && origin.startsWith("https:") ? proxyAgent(options, proxy) : new Pool(origin, options);
      pools.set(origin, pool);
    }
    return pool;
  }

  return {
    post: (request) => HttpResponse.send(poolFor(request.origin), request),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

function proxyAgent(options: Pool.Options, { url, except }: ProxyConfig): Dispatcher {
  return new EnvHttpProxyAgent({ ...options, httpsProxy: url, noProxy: except });
}

/** The address of a provider: the origin of its pool, and the prefix and query of its paths. */
export interface Endpoint {
  readonly origin: string;
  readonly host: string;
  /** The path of a method, e.g. `/v1` + `/chat/completions`; the query of the base URL stays. */
  path(method: string): string;
}

/** Parses a base URL. */
export function parseEndpoint(baseUrl: string): Endpoint {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, "");
  return {
    origin: url.origin,
    host: url.hostname,
    path: (method) => {
      if (url.search === "") return prefix + method;
      return prefix + method + (method.includes("?") ? `&${url.search.slice(1)}` : url.search);
    },
  };
}

/** The socket pauses at this many unread bytes. */
const HIGH_WATER_MARK = 1 << 20;
/** The largest body that is read, whole or as events, bytes: far above any model's longest answer. What readers buffer of a stream is bounded by it. */
const MAX_BODY_BYTES = 64 << 20;

/**
 * The response to one POST, read chunk by chunk. It handles undici's events directly, because a readable stream with its async
 * iterator costs more than everything else in a call.
 */
export class HttpResponse {
  status = 0;
  headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #size = 0;
  #state: "open" | "ended" | "failed" | "released" = "open";
  #failure: unknown;
  #wake: (() => void) | undefined;

  /** Sends a request through a dispatcher; resolves at the headers. */
  static send(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const response = new HttpResponse();
      // Rejects at once even while the connection is still being made.
      const onAbort = () => {
        response.#chunks = [];
        response.#fail(signal.reason);
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
        onRequestStart: (controller) => response.#start(controller),
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return;
          response.status = status;
          response.headers = headers;
          resolve(response);
        },
        onResponseData: (_controller, chunk) => response.#push(chunk),
        onResponseEnd: () => {
          signal.removeEventListener("abort", onAbort);
          response.#end();
        },
        onResponseError: (_controller, error) => {
          signal.removeEventListener("abort", onAbort);
          response.#fail(error);
          reject(error);
        },
      });
    });
  }

  /** What has arrived of the body, at least one chunk; `undefined` after the last. Rejects when the connection broke, the call was aborted or the body is too long. */
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
    for (let chunk = await this.read(); chunk; chunk = await this.read()) chunks.push(chunk);
    const [only] = chunks;
    return only && chunks.length === 1 ? only.toString("utf8") : Buffer.concat(chunks, this.#size).toString("utf8");
  }

  /** Discards the rest of the body as it arrives, so that the connection stays usable. */
  release(): void {
    if (this.#state !== "open") return;
    this.#state = "released";
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
    if (this.#waiting > HIGH_WATER_MARK) this.#controller?.pause();
    this.#wakeReader();
  }

  #take(): Buffer {
    const [only] = this.#chunks;
    const taken = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#waiting);
    this.#chunks = [];
    this.#waiting = 0;
    this.#size += taken.length;
    if (this.#size > MAX_BODY_BYTES) throw new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`);
    if (this.#controller?.paused) this.#controller.resume();
    return taken;
  }

  #end(): void {
    if (this.#state === "open") this.#state = "ended";
    this.#wakeReader();
  }

  #fail(failure: unknown): void {
    const { aborted } = this.#controller ?? { aborted: true };
    if (this.#state === "open" || this.#state === "released") {
      this.#state = "failed";
      this.#failure = failure;
    }
    if (!aborted) this.#controller?.abort(asError(failure));
    this.#wakeReader();
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new DOMException(String(failure), "AbortError");
}
