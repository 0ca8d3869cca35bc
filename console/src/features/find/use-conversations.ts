import { useInfiniteQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { useMemo } from "react";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { type Criteria, SOURCES } from "./criteria.ts";
import { filterText } from "./filter-text.ts";

/** The conversations that the criteria ask for, newest first, as far as they were read. */
export interface FoundConversations {
  readonly conversations: readonly Conversation[];
  /** The filter that was sent. */
  readonly filter: string;
  readonly pending: boolean;
  readonly refusal: Refusal | undefined;
  /** Reads a hundred more; absent when all were read. */
  readonly more: (() => void) | undefined;
  readonly readingMore: boolean;
}

const PAGE_SIZE = 100;

/** New ones come without being asked for. */
const REFRESH_MS = 5_000;

/** Lists an app's conversations by the API's own filter, live. */
export function useConversations(app: string, criteria: Criteria): FoundConversations {
  const filter = useMemo(() => filterText(criteria, new Date()), [criteria]);
  const sources = criteria.source === "" ? [] : [SOURCES[criteria.source]];
  const list = useInfiniteQuery(
    AgentService.method.listConversations,
    { parent: app, filter, sources, pageSize: PAGE_SIZE, pageToken: "" },
    {
      pageParamKey: "pageToken",
      getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
      refetchInterval: REFRESH_MS,
    },
  );
  const conversations = useMemo(() => list.data?.pages.flatMap((page) => page.conversations) ?? [], [list.data]);
  return {
    conversations,
    filter,
    pending: list.isPending,
    refusal: list.error ? toRefusal(list.error) : undefined,
    more: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    readingMore: list.isFetchingNextPage,
  };
}
