import { createQueryOptions, useQuery, useTransport } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Turn, turnsOf } from "../simulator/turn.ts";

/** A turn within its conversation. */
interface RecordedTurn {
  readonly turn: Turn;
  /** All turns of the conversation. */
  readonly turns: readonly Turn[];
}

/**
 * What happened in the turns of a golden, by the conversation of each: turns of one session are turns of one conversation, in order. Undefined
 * while a conversation loads, and when it is gone.
 */
export function useRecordedTurns(conversations: readonly string[]): readonly (RecordedTurn | undefined)[] {
  const transport = useTransport();
  const names = [...new Set(conversations)].filter(Boolean);
  const found = useQueries({
    queries: names.map((name) => createQueryOptions(AgentService.method.getConversation, { name }, { transport })),
  });
  const loaded = found.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is another one with each render, its conversations are not
  return useMemo(() => {
    const turnsByName = new Map(
      names.map((name, at) => [name, (loaded[at] ? turnsOf(loaded[at]) : []).map((turn) => ({ ...turn, calls: [] }))]),
    );
    return conversations.map((name, index) => {
      const turns = turnsByName.get(name) ?? [];
      const turn = turns[conversations.slice(0, index).filter((earlier) => earlier === name).length];
      return turn && { turn, turns };
    });
  }, [names.join(), ...loaded]);
}

/** The turns of a conversation; none while it loads, and when it is gone. Without a name nothing is read. */
export function useRecordedConversation(name: string): readonly Turn[] {
  const { data } = useQuery(AgentService.method.getConversation, { name }, { enabled: name !== "" });
  return useMemo(() => (data ? turnsOf(data).map((turn) => ({ ...turn, calls: [] })) : []), [data]);
}
