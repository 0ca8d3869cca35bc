import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { milliseconds } from "./conversation-metrics.ts";

/** The first page of ListConversations, newest first. */
export interface NewestPage {
  readonly conversations: readonly Conversation[];
  /** "" when there are no older ones. */
  readonly nextPageToken: string;
}

/**
 * What was read before, with the newest page as it is now: what is new or went on is taken from the page, what the page would hold
 * and does not is gone. Undefined when so many are new that the page does not reach back to what was read.
 */
export function mergeNewestPage(
  newest: NewestPage,
  before: readonly Conversation[],
): readonly Conversation[] | undefined {
  const { conversations, nextPageToken } = newest;
  const oldest = conversations.at(-1);
  if (nextPageToken === "" || !oldest) return conversations;
  const names = new Set(conversations.map(({ name }) => name));
  if (!before.some(({ name }) => names.has(name))) return undefined;
  const end = milliseconds(oldest.startTime);
  return [
    ...conversations,
    ...before.filter(({ name, startTime }) => !names.has(name) && milliseconds(startTime) <= end),
  ];
}
