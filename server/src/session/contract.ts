import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { ChannelProfile, Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionConfig, SessionInput, SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { SpeechSettings } from "./turn/speech-settings.ts";
import type { VoiceTurn } from "./turn/voice-turn.ts";

/** A snapshot with the key under which derived things (indexes, declarations, prompts) may be cached. */
export interface SnapshotRef {
  readonly snapshot: AppSnapshot;
  readonly generation: string;
  /** Resource names recorded in the conversation; "" for the draft. */
  readonly appVersion: string;
  readonly deployment: string;
  /** How the deployment's channel behaves. Default: the app's own default profile. */
  readonly channelProfile?: ChannelProfile;
  /** What a session runs that began with something else; undefined = that is gone. Absent: sessions go on with this. */
  readonly pinned?: (begun: SessionPin) => Promise<SnapshotRef | undefined>;
}

/** What a session began with: it keeps it to its end, whatever its deployment says by then. "" = none, the draft. */
export interface SessionPin {
  readonly deployment: string;
  readonly appVersion: string;
}

/** One input of a session: a turn. */
export interface TurnRequest {
  /** `projects/…/apps/…/sessions/{id}`. */
  readonly session: string;
  readonly config: SessionConfig;
  readonly inputs: readonly SessionInput[];
  readonly snapshot: SnapshotRef;
  /** Recorded as `Conversation.source`. */
  readonly source: number;
  /** The caller's `traceparent` header (W3C Trace Context), for whoever exports traces. */
  readonly traceparent?: string | undefined;
  /** Whether the spans of model calls keep the whole prompt and answer. Default false: they are as long as the conversation. */
  readonly tracePrompts?: boolean;
  /** Deltas of model text are yielded as they come. */
  readonly streamText: boolean;
  /** Agents (resource names) that wait for this one, the outermost first. Default none: a user waits. */
  readonly callers?: readonly string[];
  /** What a conversation by voice adds. */
  readonly voice?: VoiceTurn | undefined;
  readonly signal: AbortSignal;
}

/** What happens in a turn, in order. Partial events are shown, never stored. */
export type TurnEvent =
  | { readonly kind: "text-delta"; readonly agent: string; readonly text: string; readonly turnIndex: number }
  /** A whole output for the client: text, tool calls, payload, citations, end of session. With `streamText`, text that was already sent as deltas is marked. */
  | {
      readonly kind: "output";
      readonly output: SessionOutput;
      readonly alreadyStreamed: boolean;
      /** How a voice says the text; absent = as the channel says everything. */
      readonly speech?: SpeechSettings;
    }
  /** A message added to the conversation. */
  | { readonly kind: "message"; readonly message: Message }
  /** The turn is stored: always the last event of an answered turn. */
  | {
      readonly kind: "turn-completed";
      readonly turnIndex: number;
      readonly messages: readonly Message[];
      readonly rootSpan: Span;
      /** Whether the client wants messages and trace (not `SessionConfig.exclude_diagnostic_info`). */
      readonly withDiagnostics: boolean;
    };

export interface SessionEngine {
  /**
   * Runs one turn. Turns of one session run one after the other. Throws refusals (unknown agent, ended session, model
   * outage without fallback, …); then nothing of the turn is stored.
   */
  runTurn(request: TurnRequest): AsyncGenerator<TurnEvent, void>;
  /** Inputs that no client sends: an asynchronous tool has ended, and an open stream may speak of it unasked. */
  readonly unprompted: Unprompted;
  /** Resolves when no turn is running. */
  drained(): Promise<void>;
}

/** Inputs that the server creates, such as late results of asynchronous tools: an open stream runs a turn on them at once. */
export interface Unprompted {
  /** Calls `wake` whenever inputs may wait for a session. Returns the unsubscribe function. */
  subscribe(session: string, wake: () => void): () => void;
  /** Takes the waiting inputs of a session, for one turn; undefined when there are none. */
  take(session: string): readonly SessionInput[] | undefined;
}
