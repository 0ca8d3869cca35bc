import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { transport } from "../../api/transport.ts";
import { type ConversationMetrics, conversationMetrics } from "./conversation-metrics.ts";

/** Longer conversations are left out of the numbers: one of them would be read for seconds. */
export const MOST_TURNS = 2_000;

/** Requests at the same time: more would delay what users wait for. */
const AT_ONCE = 4;

/** Milliseconds between two updates with the metrics read so far: each rerenders lists and plots. */
const SHOW_EVERY = 500;

/** Milliseconds until what could not be read is tried again. */
const RETRY_INTERVAL_MS = 5_000;

/** What is known of the conversations so far. */
export interface LoadedMetrics {
  readonly metrics: ReadonlyMap<string, ConversationMetrics>;
  /** How many are still to be read. */
  readonly left: number;
  /** How many are too long to be read. */
  readonly tooLong: number;
}

const client = createClient(AgentService, transport);

/** Reads the turns of conversations, a few at a time, each once for as long as it does not grow. */
export function useConversationMetrics(conversations: readonly Conversation[]): LoadedMetrics {
  const queries = useQueryClient();
  const [metrics, setFacts] = useState<ReadonlyMap<string, ConversationMetrics>>(new Map());
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    const readable = conversations.filter(isReadable);
    const known = new Map(readable.flatMap((conversation) => knownOf(conversation, queries) ?? []));
    const unknown = readable.filter(({ name }) => !known.has(name));
    setFacts(new Map(known));
    if (unknown.length === 0) return;
    const aborter = new AbortController();
    let shown = known.size;
    const show = () => {
      if (aborter.signal.aborted || known.size === shown) return;
      shown = known.size;
      setFacts(new Map(known));
    };
    const timer = setInterval(show, SHOW_EVERY);
    let pause: ReturnType<typeof setTimeout> | undefined;
    void readAll(unknown, queries, known, aborter.signal).then(() => {
      clearInterval(timer);
      show();
      const isMissing = unknown.some(({ name }) => !known.has(name));
      if (isMissing && !aborter.signal.aborted) pause = setTimeout(() => setAttempt(attempt + 1), RETRY_INTERVAL_MS);
    });
    return () => {
      clearInterval(timer);
      clearTimeout(pause);
      aborter.abort();
    };
  }, [conversations, queries, attempt]);
  const readable = conversations.filter(isReadable);
  return {
    metrics,
    left: readable.filter(({ name }) => !metrics.has(name)).length,
    tooLong: conversations.length - readable.length,
  };
}

function isReadable({ turnCount }: Conversation): boolean {
  return turnCount <= MOST_TURNS;
}

async function readAll(
  conversations: readonly Conversation[],
  queries: QueryClient,
  known: Map<string, ConversationMetrics>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = conversations.values();
  const spans = Array.from({ length: AT_ONCE }, async () => {
    for (const conversation of waiting) {
      if (signal.aborted) return;
      const metrics = await readOne(conversation, queries).catch(() => undefined);
      if (metrics) known.set(conversation.name, metrics);
    }
  });
  await Promise.all(spans);
}

/** A conversation that continued has another key, so it is read again. */
function keyOf({ name, turnCount, endTime }: Conversation) {
  return ["conversation-metrics", name, turnCount, Number(endTime?.seconds ?? 0)] as const;
}

function knownOf(conversation: Conversation, queries: QueryClient): [[string, ConversationMetrics]] | undefined {
  const metrics = queries.getQueryData<ConversationMetrics>(keyOf(conversation));
  return metrics && [[conversation.name, metrics]];
}

function readOne(conversation: Conversation, queries: QueryClient): Promise<ConversationMetrics> {
  const { name } = conversation;
  return queries.fetchQuery({
    queryKey: keyOf(conversation),
    queryFn: async ({ signal }) =>
      client.getConversation({ name }, { signal }).then(conversationMetrics, (error: unknown) => {
        // What was deleted since the list was read has no turns to be counted.
        if (ConnectError.from(error).code === Code.NotFound) return { ...NOTHING, name };
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 600_000,
    meta: { immutable: true },
  });
}

const NOTHING: Omit<ConversationMetrics, "name"> = {
  opening: "",
  turns: [],
  errors: [],
  escalated: false,
  stopped: false,
  tokens: 0,
};
