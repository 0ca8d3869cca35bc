import type { Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";

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
  /** Whether the app logs its conversations. When not, nothing that was said may be kept anywhere. */
  readonly logged: boolean;
  /** The caller's place in a trace of its own, as W3C Trace Context writes it; undefined when it gave none. */
  readonly traceparent: string | undefined;
}

/** Hears of each stored turn, after it is durable and before its client does. Must not wait for anything. */
export type TurnObserver = (turn: StoredTurn) => void;
