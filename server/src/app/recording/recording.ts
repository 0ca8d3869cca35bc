import type { JsonObject, JsonValue } from "#base";
import type { StreamPart } from "#models";
import type { HostReply } from "#sandbox";
import type { DialogflowAnswer, DialogflowQuery } from "#session";
import type { NestedCall, ToolOutcome } from "#tools";

/**
 * A document of a recording. A recording is a file of YAML documents for one session: an `app` before the first turn and after each change
 * of the app, a `turn` for each turn, `late` for tools that returned after their turn.
 */
export type RecordedDocument = RecordedApp | RecordedTurn | RecordedLate;

/** The app as it ran: `AppSnapshot` in proto JSON. */
export interface RecordedApp {
  readonly kind: "app";
  /** Session name. */
  readonly session: string;
  readonly snapshot: JsonValue;
}

/** A turn: its input, the results of its calls, and its outputs. */
export interface RecordedTurn extends RecordedCalls {
  readonly kind: "turn";
  /** Its start, RFC 3339: the engine's current time in a replay. */
  readonly time: string;
  /** `SessionConfig` and `SessionInput` in proto JSON. */
  readonly config: JsonValue;
  readonly inputs: readonly JsonValue[];
  /** `SessionOutput` in proto JSON, without diagnostics. */
  readonly outputs: readonly JsonValue[];
  /** Whether it was a turn of an open stream. Absent: it was not. */
  readonly onStream?: boolean;
  /** Whether it waited for the client's response to asynchronous functions. Absent: it did not. */
  readonly awaitsClient?: boolean;
  /** Tools whose late results it reports, in order. Absent: none. */
  readonly told?: readonly string[];
  /** The error that ended the turn. Absent: none. */
  readonly refusal?: RecordedError;
}

interface RecordedLate extends RecordedCalls {
  readonly kind: "late";
}

/** Calls in the order in which they ended. */
export interface RecordedCalls {
  readonly models: readonly RecordedModelCall[];
  readonly tools: readonly RecordedToolCall[];
  readonly hostCalls: readonly RecordedHostCall[];
  /** The tools of toolsets, when they were opened first or had changed. */
  readonly toolsets?: readonly RecordedToolset[];
  /** Absent in recordings of apps without Dialogflow agents. */
  readonly dialogflow?: readonly RecordedDialogflowCall[];
}

export interface RecordedModelCall {
  /** As in traces, e.g. `google/gemini-2.5-flash`. */
  readonly model: string;
  readonly request: NormalRequest;
  /** The parts that the model returned. */
  readonly parts: readonly StreamPart[];
  readonly error?: RecordedError;
}

/**
 * The identity of a model call: its caller, and the conversation so far with normalised blanks and without ids. System prompt and tool
 * declarations are left out, so that an app with a changed prompt can be replayed.
 */
export interface NormalRequest {
  /** Display name of the agent, or another caller, e.g. `guardrail Manners`. */
  readonly agent: string;
  readonly messages: readonly JsonObject[];
}

export interface RecordedToolCall {
  /** Display name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly outcome: ToolOutcome;
}

/** A call of a tool or of an HTTP address by the code of a callback. */
export interface RecordedHostCall {
  readonly request: JsonObject;
  readonly reply: HostReply;
  readonly nested: readonly NestedCall[];
}

/** The tools of a toolset, e.g. of another server. */
export interface RecordedToolset {
  /** Resource name. */
  readonly toolset: string;
  /** `Tool` in proto JSON. */
  readonly members: readonly { readonly tool: JsonValue; readonly toolId: string; readonly hidden: boolean }[];
}

/** A query of a Dialogflow agent. */
export interface RecordedDialogflowCall {
  readonly query: DialogflowQuery;
  readonly answer?: DialogflowAnswer;
  readonly error?: RecordedError;
}

export interface RecordedError {
  /** Number of the canonical code. */
  readonly code: number;
  readonly message: string;
}
