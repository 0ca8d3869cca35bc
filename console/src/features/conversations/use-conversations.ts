import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { agentService } from "../../api/clients.ts";
import { toStatusError } from "../../api/status-error.ts";
import { filterExpression } from "./filter-expression.ts";
import { mergeNewestPage, type NewestPage } from "./merge-newest-page.ts";
import { type SearchCriteria, SOURCES } from "./search-criteria.ts";

/** The conversations that the criteria ask for, newest first, as far as they were read. */
export interface FoundConversations {
  readonly conversations: readonly Conversation[];
  /** The filter that was sent. */
  readonly filter: string;
  readonly pending: boolean;
  readonly error: Error | null;
  /** Reads a hundred more, or all there are; absent when all were read. */
  readonly more: ((all: boolean) => void) | undefined;
  readonly readingMore: boolean;
  /** Ends reading all. */
  readonly stop: () => void;
  /** Where the pages that were read on demand begin. */
  readonly anchor: Anchor | undefined;
}

/** Conversations per page, for the polled page and those that are read once. */
const PAGE_SIZE = 100;

/** Milliseconds between two requests for the newest page: new conversations appear by themselves. */
const POLL_INTERVAL_MS = 5_000;

/** The same for days that are over, where hardly anything happens. */
const PAST_POLL_INTERVAL_MS = 30_000;

/** The newest page as it was when older ones were requested. */
export interface Anchor {
  readonly filter: string;
  readonly page: NewestPage;
}

/** Milliseconds that pages which were read on demand are kept while the list is not on screen. */
const KEEP_MS = 3_600_000;

/**
 * Lists an app's conversations by the API's own filter. The newest page is polled; older ones are read on demand, from `begin` on where
 * the list was read further before.
 */
export function useConversations(app: string, criteria: SearchCriteria, begin?: Anchor): FoundConversations {
  const [anchor, setAnchor] = useState(begin);
  const [filter, hasMovedOn] = usePresentFilter(criteria, anchor?.filter);
  const sources = criteria.source === "" ? [] : [SOURCES[criteria.source]];
  const request = { parent: app, filter, sources, pageSize: PAGE_SIZE };
  const newest = useQuery(AgentService.method.listConversations, request, {
    refetchInterval: ({ state }) => pollMs(criteria, state.error),
    // The list of the minute before stays until that of this minute is there.
    ...(hasMovedOn && { placeholderData: keepPreviousData }),
  });
  const [asked, setAsked] = useState({ filter, count: PAGE_SIZE });
  const wanted = asked.filter === filter ? asked.count : PAGE_SIZE;
  const begun = anchor?.filter === filter ? anchor.page : undefined;
  const from = begun?.nextPageToken ?? "";
  const older = useInfiniteQuery({
    queryKey: ["older-conversations", request, from],
    queryFn: ({ pageParam: pageToken, signal }) =>
      agentService.listConversations({ ...request, pageToken }, { signal }),
    initialPageParam: from,
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    enabled: from !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    meta: { immutable: true },
  });
  const merged = useMemo(() => {
    const before = [
      ...(begun?.conversations ?? []),
      ...(older.data?.pages.flatMap((page) => page.conversations) ?? []),
    ];
    return newest.data && (begun ? mergeNewestPage(newest.data, before) : newest.data.conversations);
  }, [newest.data, begun, older.data]);
  const hasGap = newest.data !== undefined && merged === undefined;
  useEffect(() => {
    if (hasGap) setAnchor(undefined);
  }, [hasGap]);
  const next = newest.data;
  const conversations = merged ?? next?.conversations ?? NONE;
  const { hasNextPage, isFetching, isError, fetchNextPage } = older;
  const hasMore = begun ? older.isPending || hasNextPage : Boolean(next?.nextPageToken);
  // A page may be short, or empty, and have others behind it (AIP-158).
  const isShort = hasMore && conversations.length < wanted;
  const isOfFilter = !newest.isPlaceholderData;
  useEffect(() => {
    if (!isShort) return;
    if (!begun && next && isOfFilter) setAnchor({ filter, page: next });
    if (begun && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isShort, begun, isOfFilter, next, filter, hasNextPage, isFetching, isError, fetchNextPage]);

  const more = (wantsAll: boolean) => {
    setAsked({ filter, count: wantsAll ? Number.POSITIVE_INFINITY : conversations.length + PAGE_SIZE });
    if (isError) void fetchNextPage();
  };
  return {
    conversations,
    filter,
    pending: newest.isPending,
    error: newest.error ?? older.error,
    more: hasMore ? more : undefined,
    readingMore: begun !== undefined && (isFetching || (isShort && !isError)),
    stop: () => setAsked({ filter, count: 0 }),
    anchor: begun && anchor,
  };
}

/** A list that took the database too long would take it as long again: another search asks for less. */
function pollMs({ time }: SearchCriteria, error: Error | null): number | false {
  if (error && toStatusError(error).code === "DEADLINE_EXCEEDED") return false;
  return time === "yesterday" ? PAST_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
}

const NONE: readonly Conversation[] = [];

/** Milliseconds until “last hour” is another hour. */
const MINUTE_MS = 60_000;

/**
 * The filter of the criteria as of now: “today” is another day after midnight. Where older pages were read with the filter `held`, it
 * stays, because they belong to it. Also whether the same search had another filter before.
 */
function usePresentFilter(criteria: SearchCriteria, held: string | undefined): readonly [string, boolean] {
  const [minute, setMinute] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a minute later the same criteria are another time
  const filter = useMemo(() => filterExpression(criteria, new Date()), [criteria, minute]);
  const isHeld = held === filter;
  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => setMinute((before) => before + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isHeld]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first one of the search
  const first = useMemo(() => filter, [criteria]);
  return [filter, filter !== first];
}
