import type {
  BidiSessionClientMessage,
  BidiSessionServerMessage,
  SessionConfig,
  SessionInput,
} from "@frontdesk/protos/ces/session_service";
import type { Logger } from "#base";
import type { SessionEngine, SnapshotRef, TurnEvent, TurnSender, Unprompted, VoiceTurn } from "../contract.ts";

/** Limits of live sessions. Times are milliseconds. */
export interface LiveLimits {
  /** How long a stream may be open without its config message. Default 30,000, as hosted (SESS-11). */
  readonly configMs: number;
  /**
   * How long a conversation may be idle between turns before the server sends GoAway. Default 600,000. The hosted service
   * sends it after 20 to 30 seconds, so clients send silence only to stay connected.
   */
  readonly idleMs: number;
  /** How long a client may take to half-close after GoAway. Default 5,000. */
  readonly goAwayMs: number;
  /**
   * How long a stream stays open after `endSession` unless the client half-closes, because clients check that it is open before they
   * read on. Default 3,000 (SESS-21).
   */
  readonly endSessionMs: number;
  /** Conversations open at once. Default 20,000. */
  readonly maxConversations: number;
  /** Most messages of one input. Default 1,000. */
  readonly maxFragments: number;
  /** Characters and bytes of one input, all its fragments together. Default 32 Mi, the size of the largest message. */
  readonly maxInputSize: number;
}

/** What the caller of a stream supplies beside its messages. */
export interface LiveRequest {
  /** Authorizes the config message. Throws the status error of a caller without permission. */
  readonly admit: (config: SessionConfig) => AdmittedSession | Promise<AdmittedSession>;
  /**
   * The snapshot that the session runs, resolved before every turn: a change of the app takes effect at the next one, and so does one of what
   * the caller may do.
   */
  readonly snapshot: (config: SessionConfig) => Promise<SnapshotRef>;
  readonly sender?: TurnSender | undefined;
  /** The caller's `traceparent` header; every turn of the stream belongs to that trace. */
  readonly traceparent?: string | undefined;
  /** Aborts when the client has disconnected; a running turn is then cancelled. */
  readonly signal: AbortSignal;
  /** Whether a client that half-closes receives nothing any more, as over WebSocket (WIRE-52). Default false. */
  readonly closesWhole?: boolean;
}

/** A session as its caller may have it. */
interface AdmittedSession {
  readonly config: SessionConfig;
  /** Recorded as `Conversation.source`. */
  readonly source: number;
}

/** Conversations over bidirectional streams, independent of the protocol. */
export interface LiveSessions {
  /**
   * Runs one conversation: the config first, then inputs, one turn after the other. Throws status errors, which end the stream; the
   * session itself outlives its streams and continues in the next one.
   */
  converse(
    messages: AsyncIterable<BidiSessionClientMessage>,
    request: LiveRequest,
  ): AsyncGenerator<BidiSessionServerMessage, void>;
  /** From now on idle conversations get GoAway, and new ones are rejected. */
  drain(): void;
}

export interface LiveDeps {
  readonly engine: Pick<SessionEngine, "runTurn">;
  readonly logger: Logger;
  readonly limits?: Partial<LiveLimits>;
  /** Runs conversations by voice (`createVoiceConversation`). Without it they are rejected. */
  readonly voice?: Conversation;
  /** Source of inputs that no client sent. Default: none. */
  readonly unprompted?: Unprompted;
}

/** Runs a conversation once its config is known: by text, or by voice. */
export type Conversation = (connection: LiveConnection) => AsyncGenerator<BidiSessionServerMessage, void>;

/** One open stream, as a conversation sees it. */
export interface LiveConnection {
  readonly config: SessionConfig;
  readonly signal: AbortSignal;
  readonly limits: LiveLimits;
  /** As in `LiveRequest`. */
  readonly closesWhole: boolean;
  /** The next input. One call at a time; a conversation by voice may wait here while a turn runs. */
  nextInput(options?: NextInputOptions): Promise<StreamInput>;
  /** Runs a turn. It proceeds however slowly its events are read; leaving the loop cancels it. */
  runTurn(inputs: readonly SessionInput[]): AsyncIterable<TurnEvent>;
  /**
   * Runs a turn of a conversation by voice, at the pace of its reader, who must not wait for the client. `left` aborts when the client is gone: that cancels
   * the turn unless something came of it (TURN-48).
   */
  runVoiceTurn(inputs: readonly SessionInput[], voice: VoiceTurn, left: AbortSignal): AsyncIterable<TurnEvent>;
  /** Resolves when the client half-closes or disconnects, the server drains, or after `timeoutMs`. Ignores all other inputs. */
  halfClosed(timeoutMs: number): Promise<void>;
  /** What the session runs now. */
  snapshot(): Promise<SnapshotRef>;
}

interface NextInputOptions {
  /** Milliseconds until `idle`. Default `LiveLimits.idleMs`. */
  readonly idleMs?: number;
  /** Whether GoAway was sent already; then only the client or a time-out can be next. Default false. */
  readonly goAwaySent?: boolean;
}

/** What a conversation reads next. */
export type StreamInput =
  | { readonly kind: "input"; readonly input: SessionInput }
  /** Inputs that no client sent. */
  | { readonly kind: "unprompted"; readonly inputs: readonly SessionInput[] }
  /** The client sends no more. */
  | { readonly kind: "half-closed" }
  | { readonly kind: "idle" }
  /** The server is about to stop. */
  | { readonly kind: "draining" };
