import type { App } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { ChannelProfile, ModelSettings, Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionConfig, SessionInput, SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { Caller, Clock, Ids, JsonObject, Logger, Peer } from "#base";
import type { Models } from "#models";
import type { Sandbox } from "#sandbox";
import type { ConnectError } from "#status";
import type { ConversationHead, ConversationStore, ExportRow, ReplicaAddress } from "#storage";
import type { ToolMocks, Tools } from "#tools";
import type { DialogflowAgents } from "./dialogflow/contract.ts";
import type { Redaction } from "./redaction/contract.ts";
import type { TextThreads } from "./text-search/text-threads.ts";
import type { SharedOutcomes } from "./tool-calls/shared-outcomes.ts";
import type { ChannelSpan } from "./trace.ts";
import type { SpeechSettings } from "./turn/speech-settings.ts";

/** A snapshot with the key under which derived things (indexes, declarations, prompts) may be cached. */
export interface SnapshotRef {
  readonly snapshot: AppSnapshot;
  readonly generation: string;
  /** Resource names recorded in the conversation; "" for the draft. */
  readonly appVersion: string;
  readonly deployment: string;
  /** How the deployment's channel behaves. Default: the app's own default profile. */
  readonly channelProfile?: ChannelProfile;
  /** The deployment's own: each field that is set comes before those of agents and app. */
  readonly modelSettings?: ModelSettings;
  /** The deployment's own. Default: by the audio settings of the session. */
  readonly modality?: "text" | "voice";
  /** The snapshot of a session that began with another deployment or version; undefined = it no longer exists. Absent: sessions go on with this one. */
  readonly pinned?: (begun: SessionPin) => Promise<SnapshotRef | undefined>;
}

/** What a session began with and is bound to until it ends, whatever its deployment serves by then. "" = none, the draft. */
export interface SessionPin {
  readonly deployment: string;
  readonly appVersion: string;
}

/** Who asks for a turn, and from where. */
export interface TurnSender {
  readonly caller: Caller;
  readonly peer: Peer;
}

/** What a client calls a turn, so that it gets the same turn when it asks once more (TURN-81). */
export interface TurnKey {
  readonly name: string;
  /** Digest of the inputs that came with it. */
  readonly inputs: string;
}

/** One input of a session: a turn. */
export interface TurnRequest {
  /** `projects/…/apps/…/sessions/{id}`. */
  readonly session: string;
  readonly config: SessionConfig;
  readonly inputs: readonly SessionInput[];
  /** A turn of the session that is stored with the same key is answered from its record, and nothing runs. Default: each turn is a new one. */
  readonly key?: TurnKey | undefined;
  readonly snapshot: SnapshotRef;
  /** Default: the server itself, as part of another turn or of an operation. */
  readonly sender?: TurnSender | undefined;
  /** Recorded as `Conversation.source`. */
  readonly source: number;
  /** The caller's `traceparent` header (W3C Trace Context), for trace exporters. */
  readonly traceparent?: string | undefined;
  /** Whether the spans of model calls have the whole prompt and answer. Default false: they are as long as the conversation. */
  readonly tracePrompts?: boolean;
  /** Deltas of model text are yielded as they come. */
  readonly streamText: boolean;
  /**
   * Whether it is a turn of an open stream, which an error would end: responses that no tool call waits for are left out, with a warning (TOOL-14).
   * Default false: they are refused.
   */
  readonly onStream?: boolean | undefined;
  /** Whether another server may run the turn, where that one is at the session (DB-53). Default false: the turn waits for the session. */
  readonly isForwardable?: boolean | undefined;
  /** Awaited once the session is free for the turn, before anything of it runs; rejects when it may not run any more. Default: it may. */
  readonly mayBegin?: (() => Promise<void>) | undefined;
  /** The models of this turn. Default: those of the server. */
  readonly models?: Pick<Models, "resolve"> | undefined;
  /** Mocked responses of tools, which are not called then. Default: all tools are called. */
  readonly toolMocks?: ToolMocks | undefined;
  /**
   * Whether the turn waits for the client's response to asynchronous functions, too, because its client learns of calls by being waited for. Default
   * false: the agent goes on meanwhile (TOOL-52).
   */
  readonly awaitsClient?: boolean | undefined;
  /** Agents (resource names) that called this one as a tool, the outermost first. Default none: a user did. */
  readonly callers?: readonly string[];
  /** What a conversation by voice adds. */
  readonly voice?: VoiceTurn | undefined;
  /** Called when the turn may have had an effect that outlives it: user code or a tool began, or a part of the answer went out (TURN-48). More than once. */
  readonly onActed?: (() => void) | undefined;
  /** Stops the turn; nothing of it is stored then. */
  readonly signal: AbortSignal;
}

/** What a conversation by voice adds to a turn. Sound itself never reaches the engine, and is stored nowhere. */
export interface VoiceTurn {
  /** Whether the last text of the inputs is the transcript of the user's speech; texts before it describe the channel. */
  readonly spoken: boolean;
  /** Work of the channel that led to the turn: recognition, an interruption. */
  readonly spans: readonly ChannelSpan[];
  /** Why the user's speech could not be understood. The app's error handling then answers instead of an agent. */
  readonly failure?: ConnectError | undefined;
  /** Resolves when the answer is spoken or cut off, as far as it was made; called once, right before the turn is stored. */
  readonly spokenSpans: () => Promise<readonly ChannelSpan[]>;
}

/** What happens in a turn, in order. Partial events are shown, never stored. */
export type TurnEvent =
  | { readonly kind: "text-delta"; readonly agent: string; readonly text: string; readonly turnIndex: number }
  /** What is being done, or a piece of the model's thoughts, for clients that ask for it (SESS-24, SESS-25). */
  | { readonly kind: "progress"; readonly text: string; readonly turnIndex: number }
  /** A whole output for the client: text, tool calls, payload, citations, end of session. With `streamText`, text that was already sent as deltas is marked. */
  | {
      readonly kind: "output";
      readonly output: SessionOutput;
      readonly alreadyStreamed: boolean;
      /** How the text is spoken; absent = by the channel's settings. */
      readonly speech?: SpeechSettings;
    }
  /** A message that was added to the conversation. */
  | { readonly kind: "message"; readonly message: Message }
  /** The turn is stored: always the last event of an answered turn. */
  | {
      readonly kind: "turn-completed";
      readonly turnIndex: number;
      readonly messages: readonly Message[];
      readonly rootSpan: Span;
      /** All variables after the turn. */
      readonly variables: JsonObject;
      /** Whether the client wants messages and trace (not `SessionConfig.exclude_diagnostic_info`). */
      readonly withDiagnostics: boolean;
    };

/** Runs the turns of sessions, and stores what they were. */
export interface SessionEngine {
  /**
   * Runs one turn. Turns of one session run one after the other. Throws status errors (unknown agent, ended session, model
   * outage without fallback, …); then nothing of the turn is stored.
   */
  runTurn(request: TurnRequest): AsyncGenerator<TurnEvent, void>;
  /** Inputs that no client sends, such as outcomes of asynchronous tools: an open stream runs a turn on them at once. */
  readonly unprompted: Unprompted;
  /** Resolves when no turn and no asynchronous call is running. */
  drained(): Promise<void>;
  /** Stops the asynchronous calls that still run; the next turn of their sessions reports that (TOOL-65). */
  close(): Promise<void>;
}

/** Inputs that the server creates, such as late results of asynchronous tools: an open stream runs a turn on them at once. */
export interface Unprompted {
  /** Calls `wake` whenever inputs may wait for a session. Returns the unsubscribe function. */
  subscribe(session: string, wake: () => void): () => void;
  /** Takes the waiting inputs of a session, for one turn; undefined when there are none. */
  take(session: string): readonly SessionInput[] | undefined;
  /**
   * Looks for inputs that nobody announces to this server, because another one stopped or an earlier stream ended before its turn. Resolves after the first look, and
   * looks again, until `signal` fires, while there may be more.
   */
  follow(session: string, signal: AbortSignal): Promise<void>;
}

/** What the engine uses. */
export interface SessionEngineDeps {
  readonly models: Pick<Models, "resolve">;
  readonly sandbox: Pick<Sandbox, "run">;
  readonly tools: Tools;
  /** Where sessions are stored between their turns. */
  readonly storage: ConversationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Dialogflow agents that apps transfer to. Default: every query fails with DIALOGFLOW_NOT_CONFIGURED. */
  readonly dialogflow?: DialogflowAgents;
  /** Redacts stored turns of apps that enable it. Default: the built-in detectors. */
  readonly redaction?: Redaction;
  /** Search long texts, also for the redaction. Default: threads of its own. */
  readonly textThreads?: TextThreads;
  /** Is called with each stored turn. Default: nothing is called. */
  readonly observe?: TurnObserver;
  /** The rows about each turn that are stored with it, for other services. Default: none. */
  readonly exports?: TurnExports;
  /** Where outcomes of asynchronous calls outlive this process. Default: nowhere; those that no turn reported are lost with it. */
  readonly outcomes?: SharedOutcomes;
  /** Sends turns to the server that is at their session. Default: they wait for it. */
  readonly forwarding?: TurnForwarding;
  /** From 0 up to 1: picks among a guardrail's canned answers. Default `Math.random`. */
  readonly random?: () => number;
  /** Model calls in one turn. Default 10, as hosted (TURN-3). */
  readonly maxModelCalls?: number;
}

/** Runs turns on other servers of the database. */
export interface TurnForwarding {
  /**
   * Resolves to what happens in the turn once the server begins it. Undefined when the server does not, or the turn needs something that only this server has: nothing of it
   * has run then, nor will. Rejects with the signal's reason.
   */
  forward(
    server: ReplicaAddress,
    request: TurnRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<TurnEvent> | undefined>;
}

/** A turn that was stored, as it may leave the running session: redacted when its app redacts. */
export interface StoredTurn {
  /** `projects/…/apps/…/sessions/{id}`. */
  readonly session: string;
  /** App resource name. */
  readonly app: string;
  readonly turnIndex: number;
  /** Number of `Conversation.Source`. */
  readonly source: number;
  readonly messages: readonly Message[];
  readonly rootSpan: Span;
  /** Whether the app logs its conversations. When not, none of its content may be stored anywhere. */
  readonly logged: boolean;
  /** The caller's place in a trace of its own, as W3C Trace Context writes it; undefined when it gave none. */
  readonly traceparent: string | undefined;
}

/** Is called with each stored turn, after it is durable and before its client gets it. Must not wait for anything. */
export type TurnObserver = (turn: StoredTurn) => void;

/** Messages and trace of a turn. */
export interface TurnContent {
  readonly messages: readonly Message[];
  readonly rootSpan: Span;
}

/** A logged turn that is about to be stored. */
export interface ExportedTurn {
  readonly app: App;
  readonly session: string;
  readonly turnIndex: number;
  /** The head of the conversation with this turn. */
  readonly head: ConversationHead;
  /** As it is stored: redacted when the app redacts. */
  readonly record: TurnContent;
  /** As it was, for destinations that the app names for unredacted data. */
  readonly original: TurnContent;
}

/** What turns leave for other services. */
export interface TurnExports {
  /** The rows of a turn. Must not wait for anything; what it throws is logged, and the turn is stored without rows. */
  rowsOf(turn: ExportedTurn): readonly ExportRow[];
  /** Rows of a turn were stored. Must not wait for anything. */
  stored(): void;
}
