import type {
  BidiSessionClientMessage,
  BidiSessionServerMessage,
  SessionConfig,
  SessionInput,
} from "@frontdesk/protos/ces/session_service";
import type { Logger } from "#base";
import type { SessionEngine, SnapshotRef, TurnEvent } from "../contract.ts";
import type { VoiceTurn } from "../turn/voice-turn.ts";

/** What conversations over a stream may cost. Milliseconds. */
export interface LiveLimits {
  /** How long a stream may be open without its config message. Default 30,000, as hosted (ces-runtime 7.4). */
  readonly configMs: number;
  /**
   * How long a conversation may rest between turns before it is sent away (GoAway). Default 600,000. The hosted service
   * leaves after 20 to 30 seconds, which makes clients send silence only to stay connected.
   */
  readonly idleMs: number;
  /** How long a client that was told to go away may take to half-close. Default 5,000. */
  readonly goAwayMs: number;
  /** Conversations open at once. Default 20,000. */
  readonly maxConversations: number;
  /** Messages that one input may be sent in. Default 1,000. */
  readonly maxFragments: number;
  /** Characters and bytes of one input, all its fragments together. Default 32 Mi, the size of the largest message. */
  readonly maxInputSize: number;
}

/** What a stream brings beside its messages. */
export interface LiveRequest {
  /** Judges the config when it comes, and answers it as it may be used. Throws what refuses the caller. */
  readonly admit: (config: SessionConfig) => SessionConfig;
  /** What the session runs, asked before every turn: a change of the app takes effect at the next one. */
  readonly snapshot: (config: SessionConfig) => Promise<SnapshotRef>;
  /** Recorded as `Conversation.source`. */
  readonly source: number;
  /** The caller's `traceparent` header; every turn of the stream belongs to that trace. */
  readonly traceparent?: string | undefined;
  /** Fires when the client is gone; a running turn is then given up. */
  readonly signal: AbortSignal;
}

/** Conversations over bidirectional streams, whatever protocol carries them. */
export interface LiveSessions {
  /**
   * Holds one conversation: config first, then inputs; a turn after the other. Throws refusals, which end the stream; the
   * session itself outlives its streams and goes on in the next one.
   */
  converse(
    messages: AsyncIterable<BidiSessionClientMessage>,
    request: LiveRequest,
  ): AsyncGenerator<BidiSessionServerMessage, void>;
  /** From now on conversations are told to go away as soon as they rest, and new ones are refused. */
  drain(): void;
}

export interface LiveDeps {
  readonly engine: Pick<SessionEngine, "runTurn">;
  readonly logger: Logger;
  readonly limits?: Partial<LiveLimits>;
  /** Holds conversations by voice (`createVoiceConversation`). Without it they are refused. */
  readonly voice?: Conversation;
  /** Where inputs come from that no client sent. Default: nowhere. */
  readonly unprompted?: Unprompted;
}

/** A way to hold a conversation once its config is known: by text, or by voice. */
export type Conversation = (line: Line) => AsyncGenerator<BidiSessionServerMessage, void>;

/** One open stream, as a conversation sees it. */
export interface Line {
  readonly config: SessionConfig;
  readonly signal: AbortSignal;
  readonly limits: LiveLimits;
  /** The next thing that happens. One call at a time; a conversation by voice may wait here while a turn runs. */
  hear(options?: HearOptions): Promise<Heard>;
  /** Runs a turn. It goes on at its own pace however slowly its events are read; leaving the loop gives it up. */
  runTurn(inputs: readonly SessionInput[]): AsyncIterable<TurnEvent>;
  /** Runs a turn of a conversation by voice, at the pace of its reader, who must not wait for the client. `stop` gives it up. */
  speakTurn(inputs: readonly SessionInput[], voice: VoiceTurn, stop: AbortSignal): AsyncIterable<TurnEvent>;
  /** What the session runs now. */
  snapshot(): Promise<SnapshotRef>;
}

export interface HearOptions {
  /** Milliseconds until `idle`. Default `LiveLimits.idleMs`. */
  readonly idleMs?: number;
  /** Whether GoAway was sent already, so that only the client or the clock can be next. Default false. */
  readonly leaving?: boolean;
}

/** What a conversation hears. */
export type Heard =
  | { readonly kind: "input"; readonly input: SessionInput }
  /** Inputs that no client sent. */
  | { readonly kind: "unprompted"; readonly inputs: readonly SessionInput[] }
  /** The client has no more to say. */
  | { readonly kind: "half-closed" }
  | { readonly kind: "idle" }
  /** The server is about to stop. */
  | { readonly kind: "draining" };

/** Inputs that the server gives itself, such as the late results of asynchronous tools: an open stream speaks of them unasked. */
export interface Unprompted {
  /** Calls back whenever inputs may wait for a session; answers what ends that. */
  subscribe(session: string, wake: () => void): () => void;
  /** Takes what waits for a session, as the inputs of one turn; undefined for nothing. */
  take(session: string): readonly SessionInput[] | undefined;
}
