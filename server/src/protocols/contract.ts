import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock, Ids, Logger } from "#base";

/**
 * Serves one HTTP exchange. HTTP/2 exchanges come as Node's compatibility objects, which have the same members; what
 * only one version has is told apart by `"stream" in response`.
 */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes over the connection of an HTTP/1.1 request that asks for another protocol. `head` is what was read past the request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What a request may cost before it is understood. */
export interface RequestLimits {
  /** Largest body or message, bytes, after decompression. Default 32 MiB: an app with its files in one import. */
  readonly maxBodyBytes: number;
  /** Longest that a unary request's body may take to arrive, milliseconds. Default 60,000. */
  readonly bodyTimeoutMs: number;
}

/** What every protocol needs beside the registry. */
export interface ProtocolDeps {
  readonly logger: Logger;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Source of request ids. Default: the machine's. */
  readonly ids?: Ids;
  readonly limits?: Partial<RequestLimits>;
}
