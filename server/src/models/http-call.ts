import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { HttpAnswer } from "./http-answer.ts";

/** A POST of JSON text to a provider. */
export interface HttpRequest {
  /** Scheme, host and port, e.g. `https://api.openai.com`. */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  /** Names and values in turn, as undici takes them without copying. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly signal: AbortSignal;
}

/** How long a provider may take, in milliseconds. */
export interface Timeouts {
  /** To connect, TLS included. Default 10,000. */
  readonly connectMs: number;
  /** To begin to answer, and between two pieces of an answer. Default 300,000: reasoning models are silent for minutes. */
  readonly answerMs: number;
}

/**
 * A proxy between this server and providers at `https` addresses, and the hosts that are reached without it (comma-separated).
 * Plain `http` is for servers on one's own network, and goes straight.
 */
export interface ProxyConfig {
  readonly url: string;
  readonly except: string;
}

/** Connections to providers: one pool an origin, kept alive between calls. */
export interface HttpCalls {
  /** Sends the request and resolves when the status and headers of the answer are there. Rejects with undici's error, or the signal's reason. */
  post(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Longer than a user's pause between two turns, shorter than the idle limit of the providers' load balancers. */
const KEEP_ALIVE_MS = 60_000;

/** Creates the pools; connections open with the first call. */
export function createHttpCalls(timeouts: Timeouts, proxy?: ProxyConfig): HttpCalls {
  const options: Pool.Options = {
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.answerMs,
    bodyTimeout: timeouts.answerMs,
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
    post: (request) => HttpAnswer.to(poolFor(request.origin), request),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

function proxyAgent(options: Pool.Options, { url, except }: ProxyConfig): Dispatcher {
  return new EnvHttpProxyAgent({ ...options, httpsProxy: url, noProxy: except });
}
