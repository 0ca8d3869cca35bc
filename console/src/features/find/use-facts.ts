import { createClient } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { transport } from "../../api/transport.ts";
import { type ConversationFacts, conversationFacts } from "./conversation-facts.ts";

/** Longer conversations are left out of the numbers: one of them would be read for seconds. */
export const MOST_TURNS = 2_000;

/** Read at the same time: more would keep the server from what people wait for. */
const AT_ONCE = 4;

/** What is known of the conversations so far. */
export interface KnownFacts {
  readonly facts: ReadonlyMap<string, ConversationFacts>;
  /** How many are still to be read. */
  readonly left: number;
  /** How many are too long to be read. */
  readonly tooLong: number;
}

const client = createClient(AgentService, transport);

/** Reads the turns of conversations, a few at a time, each once for as long as it does not grow. */
export function useFacts(conversations: readonly Conversation[]): KnownFacts {
  const queries = useQueryClient();
  const [facts, setFacts] = useState<ReadonlyMap<string, ConversationFacts>>(new Map());
  useEffect(() => {
    const aborter = new AbortController();
    const known = new Map<string, ConversationFacts>();
    const show = () => !aborter.signal.aborted && setFacts(new Map(known));
    const timer = setInterval(show, 250);
    void readAll(conversations.filter(isReadable), queries, known, aborter.signal).finally(() => {
      clearInterval(timer);
      show();
    });
    return () => {
      clearInterval(timer);
      aborter.abort();
    };
  }, [conversations, queries]);
  const readable = conversations.filter(isReadable);
  return {
    facts,
    left: readable.filter(({ name }) => !facts.has(name)).length,
    tooLong: conversations.length - readable.length,
  };
}

function isReadable({ turnCount }: Conversation): boolean {
  return turnCount <= MOST_TURNS;
}

async function readAll(
  conversations: readonly Conversation[],
  queries: QueryClient,
  known: Map<string, ConversationFacts>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = conversations.values();
  const work = Array.from({ length: AT_ONCE }, async () => {
    for (const conversation of waiting) {
      if (signal.aborted) return;
      const facts = await readOne(conversation, queries);
      known.set(conversation.name, facts);
    }
  });
  await Promise.all(work);
}

function readOne({ name, turnCount, endTime }: Conversation, queries: QueryClient): Promise<ConversationFacts> {
  return queries.fetchQuery({
    queryKey: ["conversation-facts", name, turnCount, Number(endTime?.seconds ?? 0)],
    queryFn: async ({ signal }) =>
      // What was deleted since the list was read has no turns to be counted.
      client.getConversation({ name }, { signal }).then(conversationFacts, () => ({ ...NOTHING, name })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 600_000,
  });
}

const NOTHING: Omit<ConversationFacts, "name"> = {
  opening: "",
  turns: [],
  errors: [],
  escalated: false,
  stopped: false,
  tokens: 0,
};
