import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListConversationsRequest,
  ListConversationsRequestSchema,
  type ListConversationsResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import { type Conversation, Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum, scanPage } from "#aip";
import { definedFields } from "#base";
import type { ConversationQuery, ConversationStore, ListedConversation } from "#storage";
import { readConversationFilter } from "./conversation-filter.ts";
import { toConversation } from "./to-conversation.ts";

type Position = NonNullable<ConversationQuery["after"]>;

/** A page of an app's conversations, newest first (CONV-6). What the store cannot answer by itself is tested row by row. */
export async function listConversations(
  store: ConversationStore,
  request: ListConversationsRequest,
  signal?: AbortSignal,
): Promise<MessageInitShape<typeof ListConversationsResponseSchema>> {
  const checksum = requestChecksum(ListConversationsRequestSchema, request);
  const size = pageSizeOf(request.pageSize);
  const { passes, ...narrowed } = readConversationFilter(request.filter, request.parent);
  const query = { app: request.parent, sources: sourcesOf(request), ...narrowed };
  const page = await scanPage<ListedConversation, Conversation, Position>({
    size,
    after: decodePageToken(request.pageToken, checksum, "sorted"),
    read: (after, limit) => store.list({ ...query, ...definedFields({ after }), limit }, signal),
    itemOf: ({ head, found }) => {
      const conversation = toConversation(head);
      return passes(conversation, found) ? conversation : undefined;
    },
    positionOf: ({ head }) => [head.startTime, head.name],
  });
  return {
    conversations: [...page.items],
    nextPageToken: page.next ? encodePageToken([...page.next], checksum) : "",
  };
}

/** `sources` wins over the older `source`; with neither, all sources are listed, so that nothing recorded is hidden. */
function sourcesOf({ sources, source }: ListConversationsRequest): readonly Source[] {
  if (sources.length > 0) return sources;
  return source === Source.SOURCE_UNSPECIFIED ? [] : [source];
}
