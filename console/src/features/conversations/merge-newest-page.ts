import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { milliseconds } from "../../api/timestamp.ts";

/** The first page of ListConversations, newest first. */
export interface NewestPage {
  readonly conversations: readonly Conversation[];
  /** "" when there are no older ones. */
  readonly nextPageToken: string;
}

/**
 * Merges the newest page into the conversations that were read before: new and changed ones come from the page, and those that the
 * page should contain but does not are removed. Undefined when so many are new that the page does not overlap with the earlier ones.
 */
export function mergeNewestPage(
  newest: NewestPage,
  before: readonly Conversation[],
): readonly Conversation[] | undefined {
  const { conversations, nextPageToken } = newest;
  const oldest = conversations.at(-1);
  if (nextPageToken === "") return conversations;
  // What was looked through had none; what was read before is behind it.
  if (!oldest) return before;
  const names = new Set(conversations.map(({ name }) => name));
  if (!before.some(({ name }) => names.has(name))) return undefined;
  const end = milliseconds(oldest.startTime);
  return [
    ...conversations,
    ...before.filter(({ name, startTime }) => !names.has(name) && milliseconds(startTime) <= end),
  ];
}
