import type { LoggingSettings } from "@frontdesk/protos/ces/app";
import type { ConversationHead } from "#storage";

/**
 * How long after its last turn a session may go on as if nothing were withheld: 24 hours. Until then the store holds what the
 * next turn needs (variables and calls that wait; the messages, when they are not logged). Afterwards the retention job takes
 * it away.
 */
export const SESSION_REST_MS = 24 * 3_600_000;

/** What a conversation's head says of how it is kept. */
export type Keeping = Pick<ConversationHead, "hidden" | "dueTime">;

/** A turn at its end, as far as keeping depends on it. */
interface KeptTurn {
  /** Settings of the app that ran the turn. */
  readonly settings: LoggingSettings | undefined;
  /** The head before the turn. */
  readonly before: ConversationHead | undefined;
  readonly ended: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * How the app's logging settings want a conversation kept. With `disable_conversation_logging` it is hidden and goes when its
 * session has ended or rested; one that was hidden stays so, since what was said then was said unlogged. With redaction it
 * stays, and only the unredacted state goes.
 */
export function keepingOf({ settings, before, ended, now }: KeptTurn): Keeping {
  const hidden = before?.hidden || settings?.conversationLoggingSettings?.disableConversationLogging;
  if (hidden) return { hidden, dueTime: ended ? now : now + SESSION_REST_MS };
  if (settings?.redactionConfig?.enableRedaction && !ended) return { dueTime: now + SESSION_REST_MS };
  return {};
}
