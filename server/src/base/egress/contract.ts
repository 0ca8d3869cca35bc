import type { Socket } from "node:net";
import type { OriginList } from "./allowed-origins.ts";
import type { ConnectTarget, EgressTls } from "./dispatchers.ts";

/** An outbound HTTP request made on behalf of user code or an imported app. */
export interface EgressRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Milliseconds for the whole exchange, redirects included; for `open`, until the headers of the response. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Largest response, bytes, before and after its content encoding is undone. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Lower-case names of headers that are removed when a redirect changes the origin, besides the usual ones. Default none. */
  readonly secretHeaders?: readonly string[];
  /** Left out where an answer of a status from 400 on repeats them: what is wrong is shown to callers, and logged. Default none. */
  readonly secrets?: readonly string[];
  /** Allowed origins of the request and its redirects: every list must have the origin. Default: any. */
  readonly allowedOrigins?: readonly OriginList[];
  /** Default: the usual certificate authorities, no client certificate. */
  readonly tls?: EgressTls;
  /** Where the first connection goes instead of the URL's host. The operator configured it, so private addresses are allowed. */
  readonly connectTo?: ConnectTarget;
}

/** A response whose body has not been read. */
export interface EgressStream {
  readonly status: number;
  readonly statusText: string;
  /** Lower-case names; repeated ones joined with ", ". Without `content-encoding` where the body was decoded. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends with an `EgressError` after `maxBytes`. To leave early, abort the request's signal or end the iteration. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A response whose body was read, at most `maxBytes` of it. */
export interface EgressResponse extends Omit<EgressStream, "body"> {
  readonly body: Uint8Array;
}

/** The one gate for outbound requests: public addresses only, DNS pinned to the checked address, redirects checked again. */
export interface Egress {
  /** Rejects with `EgressError` when the request is blocked, times out, fails, or its response is too large. */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  /** The same, as soon as the headers have arrived. */
  open(request: EgressRequest): Promise<EgressStream>;
  /** Why requests to a URL will be refused, as far as its text says; undefined where it does not: what a name stands for is asked with each request. */
  refusal(url: string): string | undefined;
  /** A socket for protocols other than HTTP, which is on its way. Blocked addresses end it with an `EgressError`. `host`: IPv6 without brackets. */
  connect(host: string, port: number): Socket;
  close(): Promise<void>;
}
