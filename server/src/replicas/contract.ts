import type { Caller, Peer } from "#base";
import type { TurnEvent, TurnForwarding, TurnKey, TurnRequest } from "#session";

/** A turn of another server: what its request was, which is all that is needed to run it. */
export type ForwardedTurn = Pick<
  TurnRequest,
  "session" | "config" | "inputs" | "source" | "streamText" | "traceparent" | "tracePrompts"
> & {
  readonly key?: TurnKey | undefined;
  readonly sender: { readonly caller: Caller; readonly peer: Peer };
};

/** Runs a turn of another server, with what the members mean in `TurnRequest`. */
export type RunForwarded = (
  turn: ForwardedTurn & Required<Pick<TurnRequest, "signal" | "onActed" | "mayBegin">>,
) => AsyncIterable<TurnEvent>;

/** A port at which a server takes turns of others. */
export interface TurnServer {
  /** The TCP port that was bound. */
  readonly port: number;
  /** Takes no more turns from here on; those that run go on. */
  drain(): void;
  /** Ends all connections and closes the port. */
  close(): Promise<void>;
}

/**
 * What became of a turn that another server was to run: `refused` when that one could not be asked or takes none, else `sent`; then `returned` when it did not begin the turn,
 * and `lost` when it ended before it had answered.
 */
export type ForwardingOutcome = "refused" | "sent" | "returned" | "lost";

/** Connections to the ports of other servers. */
export interface TurnClient extends TurnForwarding {
  /** Ends all connections. */
  close(): void;
}
