import type { Clock, Ids } from "#base";
import type { ResourceStore } from "#storage";
import { createDataAgents, type DataAgents } from "./agents/data-agents.ts";
import { createIdempotencyStore } from "./agents/idempotency-store.ts";
import { createDataRetention, type DataRetention } from "./agents/retention.ts";
import { createDataConversations, type DataConversations } from "./conversations/data-conversations.ts";
import { createDataMessages, type DataMessages } from "./conversations/data-messages.ts";
import { createMessageOrder } from "./conversations/message-rows.ts";

/** The stores of data agents and of conversations with them. */
export interface DataStores {
  readonly agents: DataAgents;
  readonly conversations: DataConversations;
  readonly messages: DataMessages;
  readonly retention: DataRetention;
}

interface DataStoresDeps {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Creates the stores of data agents over the resources of a server. */
export function createDataStores({ store, clock, ids }: DataStoresDeps): DataStores {
  const idempotency = createIdempotencyStore({ store, clock });
  return {
    agents: createDataAgents({ store, idempotency, clock, ids }),
    conversations: createDataConversations({ store, idempotency, order: createMessageOrder(clock), clock, ids }),
    messages: createDataMessages(store),
    retention: createDataRetention({ store, clock }),
  };
}
