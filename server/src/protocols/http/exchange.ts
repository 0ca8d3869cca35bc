import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, type Clock, type Ids, type Logger, type Peer, systemClock, systemIds } from "#base";
import { type Authenticator, type CallContext, createCallContext, NO_AUTHENTICATION, type Revision } from "#rpc";
import type { ProtocolDeps, RequestLimits } from "../contract.ts";

/** A protocol's dependencies, defaults included. */
export interface ResolvedDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: RequestLimits;
  /** The limits of a body that a caller sends. */
  readonly limitsOf: (caller: Caller) => RequestLimits;
  readonly heartbeatMs: number;
  readonly authenticator: Authenticator;
  readonly peerOf: (request: IncomingMessage) => Peer;
  readonly stopping: AbortSignal | undefined;
}

/** Fills in the defaults of a protocol's dependencies. */
export function resolveDeps({
  logger,
  clock = systemClock,
  ids = systemIds,
  limits,
  anonymousBodyBytes = Number.POSITIVE_INFINITY,
  heartbeatMs = 20_000,
  authenticator = NO_AUTHENTICATION,
  peerOf = directPeer,
  stopping,
}: ProtocolDeps): ResolvedDeps {
  const allLimits = { maxBodyBytes: 32 * 1024 * 1024, bodyTimeoutMs: 60_000, ...limits };
  const { maxBodyBytes } = allLimits;
  const ofAnonymous =
    anonymousBodyBytes < maxBodyBytes
      ? { ...allLimits, maxBodyBytes: anonymousBodyBytes, bytesWithCredential: maxBodyBytes }
      : allLimits;
  const limitsOf = ({ kind }: Caller) => (kind === "anonymous" ? ofAnonymous : allLimits);
  return { logger, clock, ids, limits: allLimits, limitsOf, heartbeatMs, authenticator, peerOf, stopping };
}

function directPeer({ socket }: IncomingMessage): Peer {
  return { address: socket.remoteAddress ?? "" };
}

/** One HTTP request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  /** Aborted when the client disconnects before the end of the response, or, with the answer as its reason, when the server gives it up. */
  readonly signal: AbortSignal;
}

/** Starts an exchange: gives it an id and watches the client's connection. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, ids, stopping }: ResolvedDeps,
): Exchange {
  const controller = new AbortController();
  const giveUp = () => controller.abort(stopping?.reason);
  stopping?.addEventListener("abort", giveUp, { once: true });
  response.on("close", () => {
    stopping?.removeEventListener("abort", giveUp);
    if (!response.writableEnded) controller.abort();
  });
  return { request, response, requestId: shortId(ids), startedAt: clock.now(), signal: controller.signal };
}

/** Twelve hexadecimal digits, enough to find a call in the log. */
export function shortId(ids: Ids): string {
  return ids.uuid().replaceAll("-", "").slice(0, 12);
}

/** Who makes a request, from where, and with which headers. */
export interface Sender {
  readonly caller: Caller;
  readonly peer: Peer;
  /** Lower-case; repeated ones joined with ", ". */
  readonly headers: ReadonlyMap<string, string>;
}

/** The context of a call that this request makes. */
export function contextOf(
  exchange: Exchange,
  sender: Sender,
  protocol: CallContext["protocol"],
  revision: Revision,
  logger: Logger,
): CallContext {
  const { request, requestId, signal, startedAt } = exchange;
  const deadline = deadlineOf(request, startedAt);
  return createCallContext({ signal, deadline, revision, protocol, requestId, ...sender }, logger);
}

/** Lower-case headers of a request, repeated ones joined with ", ". */
export function headerMap({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return map;
}

/** Google's HTTP clients send their deadline as `X-Server-Timeout`, in seconds. */
function deadlineOf({ headers }: IncomingMessage, startedAt: number): number | undefined {
  const seconds = Number(headers["x-server-timeout"]);
  return Number.isFinite(seconds) && seconds > 0 ? startedAt + seconds * 1000 : undefined;
}
