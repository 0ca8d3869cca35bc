import type { JsonObject } from "#base";
import { type DialogflowState, NO_VISIT } from "../dialogflow/dialogflow-state.ts";

/** A call whose result the session waits for. */
export interface PendingCall {
  readonly id: string;
  /** Name under which the model called it. */
  readonly name: string;
  /** Resource name of the tool. */
  readonly tool: string;
  readonly args: JsonObject;
}

/** What the next turn needs beside the messages: kept as JSON in `ConversationHead.state`. */
export interface SessionState {
  readonly variables: JsonObject;
  /** Resource name of the agent that holds the conversation. */
  readonly agent: string;
  readonly pending: readonly PendingCall[];
  /** Asynchronous calls that went on after their turn and whose outcome was not told yet. */
  readonly deferred: readonly PendingCall[];
  /** Metadata of the end; undefined while the session is open. */
  readonly ended?: JsonObject;
  /** Fallback answers given in a row. */
  readonly fallbacks: number;
  readonly dialogflow: DialogflowState;
}

/** The state as stored. */
export function writeSessionState(state: SessionState): string {
  const { dialogflow, ...most } = state;
  return JSON.stringify({ version: 1, ...most, ...(dialogflow !== NO_VISIT && { dialogflow }) });
}

/** Reads what `writeSessionState` wrote. Throws for anything else: guessing would lose a conversation. */
export function readSessionState(text: string): SessionState {
  // Only this file writes the column, so its shape is known once the version is.
  const stored = JSON.parse(text) as { readonly version?: unknown } & SessionState;
  if (stored.version !== 1) throw new Error(`session state of version ${String(stored.version)} cannot be read`);
  const { variables, agent, pending, deferred = [], ended, fallbacks, dialogflow = NO_VISIT } = stored;
  return { variables, agent, pending, deferred, fallbacks, dialogflow, ...(ended && { ended }) };
}
