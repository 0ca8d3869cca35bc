/** Limits of connections and requests. */
export interface ListenLimits {
  /** Time for the first bytes, the TLS handshake and each request's headers, milliseconds. Default 15,000. */
  readonly headersTimeoutMs: number;
  /** Time for a whole HTTP/1.1 request, body included, milliseconds. Default 120,000. */
  readonly requestTimeoutMs: number;
  /** How long an idle connection stays open, milliseconds. Default 75,000: longer than common proxies keep theirs. */
  readonly idleTimeoutMs: number;
  /** Headers of one request, bytes. Default 32 KiB. */
  readonly maxHeaderBytes: number;
  /** Requests that one HTTP/2 connection may have in flight. Default 256. */
  readonly maxConcurrentStreams: number;
  /** Connections at once; more are closed. Default 20,000, the limit of live sessions. */
  readonly maxConnections: number;
}

export const DEFAULT_LIMITS: ListenLimits = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 120_000,
  idleTimeoutMs: 75_000,
  maxHeaderBytes: 32 * 1024,
  maxConcurrentStreams: 256,
  maxConnections: 20_000,
};
