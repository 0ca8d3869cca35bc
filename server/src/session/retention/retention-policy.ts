import type { App, LoggingSettings } from "@frontdesk/protos/ces/app";
import type { ConversationHead } from "#storage";
import type { RecordingState } from "../turn/recording-control.ts";

/**
 * How long a session may be idle before its unlogged or unredacted working data is removed: 24 hours. Until then the store holds
 * what the next turn needs: variables and pending calls, and the messages of a conversation that is not logged.
 */
const SESSION_IDLE_MS = 24 * 3_600_000;

/** The retention fields of a conversation's head. */
type RetentionPolicy = Pick<ConversationHead, "hidden" | "dueTime">;

/** A completed turn, as far as retention depends on it. */
interface CompletedTurn {
  /** Settings of the app that ran the turn. */
  readonly settings: LoggingSettings | undefined;
  /** The head before the turn. */
  readonly before: ConversationHead | undefined;
  readonly ended: boolean;
  /** What the session has of its recording, before and after the turn. */
  readonly recording: { readonly before: RecordingState | undefined; readonly after: RecordingState | undefined };
  /** Milliseconds. */
  readonly now: number;
}

/**
 * The retention policy of a conversation after a turn, from the app's logging settings (CONV-12, CONV-13). With `disable_conversation_logging` the
 * conversation is hidden, and removed when its session has ended or was idle; a conversation that was hidden once stays hidden.
 * With redaction the conversation stays, and only its unredacted state is removed. A conversation of which no turn may be recorded is hidden until one
 * may; of others the turns that may not are removed alike (CONV-27).
 */
export function retentionPolicy({ settings, before, ended, recording, now }: CompletedTurn): RetentionPolicy {
  const wasUnlogged = before?.hidden === true && !isUnrecorded(recording.before);
  const isUnlogged = wasUnlogged || settings?.conversationLoggingSettings?.disableConversationLogging === true;
  const hidden = isUnlogged || isUnrecorded(recording.after);
  if (hidden || recording.after?.withheld) return { hidden, dueTime: ended ? now : now + SESSION_IDLE_MS };
  if (settings?.redactionConfig?.enableRedaction && !ended) return { dueTime: now + SESSION_IDLE_MS };
  return {};
}

function isUnrecorded(recording: RecordingState | undefined): boolean {
  return recording?.recorded === false;
}

const DAY_MS = 86_400_000;

/** The retention window of an app that sets none (`ConversationLoggingSettings.retention_window`): 365 days. */
const DEFAULT_DAYS = 365;

/** Longest retention window: two years (CONV-11). */
const MAX_DAYS = 730;

/** The retention window of an app, milliseconds after the last turn of a conversation. */
export function retentionWindowMs({ loggingSettings }: App): number {
  const window = loggingSettings?.conversationLoggingSettings?.retentionWindow;
  if (!window || window.seconds <= 0n) return DEFAULT_DAYS * DAY_MS;
  return Math.min(Number(window.seconds) * 1_000, MAX_DAYS * DAY_MS);
}
