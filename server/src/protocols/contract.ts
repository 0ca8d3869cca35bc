import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock, Ids, Logger, Peer } from "#base";
import type { Authenticator } from "#rpc";

/**
 * Serves one HTTP exchange. HTTP/2 exchanges are Node's compatibility objects, which have the same members; `"stream" in response`
 * distinguishes the versions.
 */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes over the connection of an HTTP/1.1 Upgrade request. `head` holds the bytes that were read after the request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Limits of a request's body. */
export interface RequestLimits {
  /** Largest body or message, bytes, after decompression. Default 32 MiB: an app with its files in one import. */
  readonly maxBodyBytes: number;
  /** The same for callers with a credential, where others may send less (WIRE-72). */
  readonly bytesWithCredential?: number;
  /** Longest time for the body of a unary request to arrive, milliseconds. Default 60,000. */
  readonly bodyTimeoutMs: number;
}

/** What handlers of all protocols of a server have in common. */
export type HandlerDeps = Required<Pick<ProtocolDeps, "logger" | "authenticator" | "peerOf">> &
  Pick<ProtocolDeps, "stopping" | "anonymousBodyBytes">;

/** What every protocol needs besides the registry. */
export interface ProtocolDeps {
  readonly logger: Logger;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Source of request ids. Default: the machine's. */
  readonly ids?: Ids;
  readonly limits?: Partial<RequestLimits>;
  /** Bytes of a body that are read for a caller without a credential (WIRE-72), over REST, MCP and A2A and of batches. Default: as for all others. */
  readonly anonymousBodyBytes?: number;
  /** Milliseconds without a message after which a stream sends something that means nothing (WIRE-49). Default 20,000: below the idle timeouts of proxies. */
  readonly heartbeatMs?: number;
  /** Who calls. Default: nobody is known. */
  readonly authenticator?: Authenticator;
  /** Where a request comes from. Default: the other end of its connection. */
  readonly peerOf?: (request: IncomingMessage) => Peer;
  /** Aborts when the server gives up what is still in flight; its reason, a status error, is the answer. Default: never. */
  readonly stopping?: AbortSignal | undefined;
}
