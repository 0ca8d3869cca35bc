import type { JsonObject, JsonValue } from "#base";
import type { StreamPart } from "#models";
import type { HostReply } from "#sandbox";
import type { DialogflowAnswer, DialogflowQuery } from "#session";
import type { NestedCall, ToolOutcome } from "#tools";

/**
 * A document of a recording, which is a file of YAML documents, one session a file: an `app` before the first turn and after
 * each change of the app, a `turn` for each turn, `late` for tools that answered after their turn.
 */
export type RecordedDocument = RecordedApp | RecordedTurn | RecordedLate;

/** The app as it ran: `AppSnapshot` in proto JSON. */
export interface RecordedApp {
  readonly kind: "app";
  /** Session name. */
  readonly session: string;
  readonly snapshot: JsonValue;
}

/** Everything that a turn got from outside, and what the client was told. */
export interface RecordedTurn extends RecordedCalls {
  readonly kind: "turn";
  /** When it began, RFC 3339: what the engine takes for now in a replay. */
  readonly time: string;
  /** `SessionConfig` and `SessionInput` in proto JSON. */
  readonly config: JsonValue;
  readonly inputs: readonly JsonValue[];
  /** `SessionOutput` in proto JSON, without diagnostics. */
  readonly outputs: readonly JsonValue[];
  /** Tools whose late answers it told, in order. Absent: none. */
  readonly told?: readonly string[];
  /** Why the turn was refused, when it was. */
  readonly refusal?: RecordedError;
}

export interface RecordedLate extends RecordedCalls {
  readonly kind: "late";
}

/** Calls in the order in which they ended. */
export interface RecordedCalls {
  readonly models: readonly RecordedModelCall[];
  readonly tools: readonly RecordedToolCall[];
  readonly hostCalls: readonly RecordedHostCall[];
  /** What toolsets were found to hold, when it was first or newly found. */
  readonly toolsets?: readonly RecordedToolset[];
  /** Absent in recordings of apps without Dialogflow agents. */
  readonly dialogflow?: readonly RecordedDialogflowCall[];
}

export interface RecordedModelCall {
  /** As in traces, e.g. `google/gemini-2.5-flash`. */
  readonly model: string;
  readonly request: NormalRequest;
  /** The answer, as far as it came. */
  readonly parts: readonly StreamPart[];
  readonly error?: RecordedError;
}

/**
 * What makes two model calls the same: who asks, and the conversation so far with blanks run together and without ids. The
 * system prompt and the tools offered are left out, so that a changed prompt still finds its answers.
 */
export interface NormalRequest {
  /** The agent's display name, or who else asks, as `guardrail Manners`. */
  readonly agent: string;
  readonly messages: readonly JsonObject[];
}

export interface RecordedToolCall {
  /** Display name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly outcome: ToolOutcome;
}

/** A tool or an address that code of a callback called. */
export interface RecordedHostCall {
  readonly request: JsonObject;
  readonly reply: HostReply;
  readonly nested: readonly NestedCall[];
}

/** The tools of a toolset, which another server may have told. */
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
