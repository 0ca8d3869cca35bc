import type { JsonObject } from "#base";
import type { AgentNode, AppIndex } from "../app-index.ts";
import type { Channel } from "../channel.ts";
import type { SessionEngine, SessionEngineDeps, TurnRequest } from "../contract.ts";
import type { History } from "../model-call/history.ts";
import type { PastCallIds } from "../state/past-call-ids.ts";
import type { SharedList } from "../state/shared-list.ts";
import type { PastTurn } from "../state/stored-sessions.ts";
import type { Variables } from "../state/variables.ts";
import type { DeferredCalls } from "../tool-calls/deferred-calls.ts";
import type { Spans } from "../trace.ts";
import type { TurnInput } from "./inputs.ts";
import type { TurnEvents } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";

/** What a turn is given. Nothing of it changes. */
export interface TurnContext {
  readonly request: TurnRequest;
  /** Aborts when the client has disconnected, or when the turn has failed. */
  readonly signal: AbortSignal;
  /** The app, as the session runs it. */
  readonly index: AppIndex;
  readonly sessionId: string;
  /** From 1. */
  readonly turnIndex: number;
  /** Of this run of the turn: one that failed and comes again has another. */
  readonly runId: string;
  readonly channel: Channel;
  /** IANA name. */
  readonly timeZone: string;
  readonly pastTurns: Pick<SharedList<PastTurn>, "length" | "at" | "fork">;
  /** The ids of their calls. */
  readonly pastCallIds: PastCallIds;
  readonly input: TurnInput;
}

/** A turn for whatever reads it: the active agent, the variables, the messages so far. Nothing can be changed through it. */
export interface TurnView extends TurnContext {
  readonly state: Readonly<Pick<TurnState, "agent" | "userMessagePosition" | "dialogflow" | "remoteAgents">>;
  readonly variables: Pick<Variables, "values">;
  /** The conversation in model form, this turn included. */
  readonly history: Pick<History, "messages">;
  readonly events: Pick<TurnEvents, "messages">;
  readonly engine: Pick<EngineCapabilities, "clock">;
}

/**
 * A turn for the loop that runs it. Nothing of it outlives a failure: the session takes it over when the turn is stored. What
 * the loop calls declares the part that it needs, as a `TurnView` or a type of its own.
 */
export interface Turn extends TurnView {
  /** Changes by its own methods only. */
  readonly state: TurnState;
  readonly variables: Variables;
  readonly history: History;
  readonly events: TurnEvents;
  readonly spans: Spans;
  readonly engine: EngineCapabilities;
}

/** The deps with their defaults. */
export interface EngineCapabilities extends Required<Omit<SessionEngineDeps, "outcomes" | "forwarding">> {
  /** Asynchronous calls that turns left running. */
  readonly deferredCalls: DeferredCalls;
  /** Runs the turn of another session, for agents that are called as tools. */
  readonly runTurn: SessionEngine["runTurn"];
}

/** What comes after a part of a turn. */
export type NextStep =
  /** An agent becomes active: its before_agent callbacks, then its model. */
  | { readonly kind: "enter-agent"; readonly agent: AgentNode }
  | { readonly kind: "call-model" }
  /** The answer is complete. */
  | { readonly kind: "respond" }
  | { readonly kind: "end-session"; readonly metadata: JsonObject }
  /** The client got calls to answer; the session waits for its responses. */
  | { readonly kind: "await-client" };
