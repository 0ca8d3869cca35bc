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

/** Runs a turn of another server. `onActed` is called as `TurnRequest.onActed` is. */
export type RunForwarded = (turn: ForwardedTurn, signal: AbortSignal, onActed: () => void) => AsyncIterable<TurnEvent>;

/** A port at which a server takes turns of others. */
export interface TurnServer {
  /** The TCP port that was bound. */
  readonly port: number;
  /** Takes no more turns from here on; those that run go on. */
  drain(): void;
  /** Ends all connections and closes the port. */
  close(): Promise<void>;
}

/** What became of a turn that was to be forwarded: `lost` when its server ended before it had answered. */
export type ForwardingOutcome = "taken" | "refused" | "lost";

/** Connections to the ports of other servers. */
export interface TurnClient extends TurnForwarding {
  /** Ends all connections. */
  close(): void;
}
