import type { Clock, Ids } from "#base";
import type { ResourceStore } from "#storage";
import { createDataAgents, type DataAgents } from "./agents/data-agents.ts";
import { createDataKeeping, type DataKeeping } from "./agents/keeping.ts";
import { createRepeats } from "./agents/repeats.ts";
import { createDataConversations, type DataConversations } from "./conversations/data-conversations.ts";
import { createDataMessages, type DataMessages } from "./conversations/data-messages.ts";
import { createMessageOrder } from "./conversations/message-rows.ts";

/** What is kept of data agents and of conversations with them. */
export interface DataStores {
  readonly agents: DataAgents;
  readonly conversations: DataConversations;
  readonly messages: DataMessages;
  readonly keeping: DataKeeping;
}

export interface DataStoresDeps {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Creates the stores of data agents over the resources of a server. */
export function createDataStores({ store, clock, ids }: DataStoresDeps): DataStores {
  const repeats = createRepeats({ store, clock });
  return {
    agents: createDataAgents({ store, repeats, clock, ids }),
    conversations: createDataConversations({ store, repeats, order: createMessageOrder(clock), clock, ids }),
    messages: createDataMessages(store),
    keeping: createDataKeeping({ store, clock }),
  };
}
