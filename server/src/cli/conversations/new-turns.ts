import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import type { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { allPages } from "../server/all-pages.ts";
import { type TurnReport, turnReport } from "./turn-report.ts";

type Agents = Client<typeof AgentService>;

/** Conversations that are fetched at the same time. */
const CONCURRENCY = 8;

/** The turns of an app since a time, and from then on those that are new at each call. */
export interface NewTurns {
  /** In the order in which they began. */
  next(): Promise<readonly TurnReport[]>;
}

/**
 * Reads turns by polling what every server of the API has: conversations that ended last, and of those with more turns than before the new ones. Times
 * are the server's, but the first. `conversation`: the id of the only one to read.
 */
export function newTurns(app: string, since: Date, conversation: string | undefined, client: Agents): NewTurns {
  const printed = new Map<string, number>();
  let from = since;
  return {
    next: async () => {
      const active = await conversationsSince(app, from, conversation, client);
      const grown = active.filter(({ name, turnCount }) => turnCount > (printed.get(name) ?? 0));
      const turns: TurnReport[] = [];
      for (let at = 0; at < grown.length; at += CONCURRENCY) {
        const some = grown.slice(at, at + CONCURRENCY);
        const whole = await Promise.all(some.map(({ name }) => client.getConversation({ name })));
        for (const found of whole) {
          turns.push(...unprinted(found, printed.get(found.name), since));
          printed.set(found.name, found.turns.length);
        }
      }
      for (const { endTime } of active) if (endTime && timestampDate(endTime) > from) from = timestampDate(endTime);
      return turns.toSorted((one, other) => (one.time?.getTime() ?? 0) - (other.time?.getTime() ?? 0));
    },
  };
}

/** The turns behind those that were told; of a conversation that was not told yet, those that began since then. */
function unprinted(conversation: Conversation, printed: number | undefined, since: Date): readonly TurnReport[] {
  const turns = conversation.turns.map((turn, index) => turnReport(conversation, turn, index));
  return printed === undefined ? turns.filter(({ time }) => !time || time >= since) : turns.slice(printed);
}

async function conversationsSince(
  parent: string,
  from: Date,
  conversation: string | undefined,
  client: Agents,
): Promise<readonly Conversation[]> {
  const filter = `end_time >= "${from.toISOString()}"`;
  const found = await allPages(async (pageToken) => {
    const page = await client.listConversations({ parent, filter, pageSize: 100, pageToken });
    return { items: page.conversations, nextPageToken: page.nextPageToken };
  });
  return conversation === undefined
    ? found
    : found.filter(({ name }) => name.endsWith(`/conversations/${conversation}`));
}
