import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { Clock, Ids, JsonObject, Logger } from "#base";
import type { Models } from "#models";
import type { Sandbox } from "#sandbox";
import type { ConversationStore } from "#storage";
import type { Sources, Tools } from "#tools";
import type { AgentNode, AppIndex } from "../app-index.ts";
import type { SessionEngine, TurnRequest } from "../contract.ts";
import type { DialogflowAgents } from "../dialogflow/contract.ts";
import type { DialogflowState } from "../dialogflow/dialogflow-state.ts";
import type { HeldInput } from "../guardrails/held-input.ts";
import type { History } from "../model-call/history.ts";
import type { Redaction } from "../redaction/contract.ts";
import type { Spans } from "../spans.ts";
import type { PastTurn } from "../state/session-cache.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { Variables } from "../state/variables.ts";
import type { DeferredCalls } from "../tool-calls/deferred-calls.ts";
import type { PreparedRule } from "../transfers/transfer-rules.ts";
import type { TurnInput } from "./inputs.ts";
import type { Recorder } from "./recorder.ts";
import type { TurnObserver } from "./stored-turn.ts";

/** What the engine uses. */
export interface SessionEngineDeps {
  readonly models: Pick<Models, "resolve">;
  readonly sandbox: Pick<Sandbox, "run">;
  readonly tools: Tools;
  /** Where sessions live between their turns. */
  readonly storage: ConversationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Agents of Dialogflow that apps hand the conversation to. Default: every call is refused. */
  readonly dialogflow?: DialogflowAgents;
  /** Takes personal data out of what is stored, where an app wants that. Default: the built-in detectors. */
  readonly redaction?: Redaction;
  /** Hears of each stored turn. Default: nobody does. */
  readonly observe?: TurnObserver;
  /** From 0 up to 1: picks among a guardrail's canned answers. Default `Math.random`. */
  readonly random?: () => number;
  /** Passes of the loop in one turn. Default 10, as hosted (TURN-3). */
  readonly maxModelCalls?: number;
  /** Sessions kept in memory between their turns. Default 1,000. */
  readonly hotSessions?: number;
}

/** The deps with their defaults. */
export interface EngineCapabilities extends Required<SessionEngineDeps> {
  /** Asynchronous calls that turns left running. */
  readonly deferred: DeferredCalls;
  /** Runs the turn of another session, for agents that are called as tools. */
  readonly runTurn: SessionEngine["runTurn"];
}

/** What comes after a part of a turn. */
export type NextStep =
  /** An agent takes the conversation: its before_agent callbacks, then its model. */
  | { readonly kind: "enter-agent"; readonly agent: AgentNode }
  | { readonly kind: "call-model" }
  /** The answer is complete. */
  | { readonly kind: "respond" }
  | { readonly kind: "end-session"; readonly metadata: JsonObject }
  /** Client functions were handed out; the session waits for their results. */
  | { readonly kind: "await-client" };

/** One turn while it runs. Nothing of it outlives a failure: the session takes it over when it is stored. */
export interface TurnRun {
  readonly request: TurnRequest;
  readonly engine: EngineCapabilities;
  readonly index: AppIndex;
  readonly signal: AbortSignal;
  /** From 1. */
  readonly turnIndex: number;
  readonly sessionId: string;
  readonly pastTurns: readonly PastTurn[];
  readonly input: TurnInput;
  readonly variables: Variables;
  readonly history: History;
  readonly recorder: Recorder;
  readonly spans: Spans;
  /** The agent that holds the conversation. */
  agent: AgentNode;
  /** Agents that ran in this turn, in order: each runs its after_agent callbacks, the innermost first. */
  readonly entered: AgentNode[];
  /** Hand-overs by transfer rules so far, each with the variables it was decided on. */
  readonly handovers: { readonly rule: PreparedRule; readonly values: JsonObject }[];
  /** Guardrails that have judged this turn's input. */
  readonly judged: Set<Guardrail>;
  /** Input that guardrails still judge; undefined = it has passed. */
  held: HeldInput | undefined;
  pending: readonly PendingCall[];
  /** Asynchronous calls whose result the session still waits for. */
  deferred: readonly PendingCall[];
  /** Ids of the asynchronous calls that this turn started: they end with it when it is not stored. */
  readonly started: string[];
  /** Ids of the asynchronous calls whose outcome this turn told. */
  readonly told: string[];
  ended: JsonObject | undefined;
  fallbacks: number;
  dialogflow: DialogflowState;
  /** Where the user's own message stands among the turn's messages. */
  userMessage: number;
  /** Passes of the loop so far. */
  passes: number;
  /** Whether the client was given anything in this turn. */
  spoke: boolean;
  /** What the answers of its tools come from, not yet told. */
  sources: Sources;
}
