/** Turns between the servers of a database: each runs where its session is at work (DB-53). */

export { newConnectionKey } from "./connection-key.ts";
export type { ForwardedTurn, ForwardingOutcome, RunForwarded, TurnClient, TurnServer } from "./contract.ts";
export { createTurnClient } from "./turn-client.ts";
export { openTurnServer } from "./turn-server.ts";
