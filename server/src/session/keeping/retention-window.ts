import type { App } from "@frontdesk/protos/ces/app";

const DAY_MS = 86_400_000;

/** The window of an app that sets none (`ConversationLoggingSettings.retention_window`): 365 days. */
const DEFAULT_DAYS = 365;

/** Longest that conversations are kept, as hosted: two years (ces-runtime 5.5). */
const MAX_DAYS = 730;

/** Milliseconds for which an app keeps its conversations, from their last turn. */
export function retentionWindowMs({ loggingSettings }: App): number {
  const window = loggingSettings?.conversationLoggingSettings?.retentionWindow;
  if (!window || window.seconds <= 0n) return DEFAULT_DAYS * DAY_MS;
  return Math.min(Number(window.seconds) * 1_000, MAX_DAYS * DAY_MS);
}
