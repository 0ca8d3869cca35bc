import type { Clock, Ids } from "#base";
import type { BlobStore, ResourceStore } from "#storage";
import type { Warehouse } from "#warehouse";
import { createDataAgents, type DataAgents } from "./agents/data-agents.ts";
import { createIdempotencyStore } from "./agents/idempotency-store.ts";
import { createDataRetention, type DataRetention } from "./agents/retention.ts";
import { createDataConversations, type DataConversations } from "./conversations/data-conversations.ts";
import { createDataMessages, type DataMessages } from "./conversations/data-messages.ts";
import { createMessageOrder } from "./conversations/message-rows.ts";
import { createDataFiles, type DataFiles } from "./files/data-files.ts";

/** The stores of data agents and of conversations with them. */
export interface DataStores {
  readonly agents: DataAgents;
  readonly conversations: DataConversations;
  readonly messages: DataMessages;
  readonly retention: DataRetention;
  readonly files: DataFiles;
}

interface DataStoresDeps {
  readonly store: ResourceStore;
  readonly blobs: BlobStore;
  /** Reads uploaded files. */
  readonly warehouse: Warehouse;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Creates the stores of data agents over the resources of a server. */
export function createDataStores({ store, blobs, warehouse, clock, ids }: DataStoresDeps): DataStores {
  const idempotency = createIdempotencyStore({ store, clock });
  return {
    agents: createDataAgents({ store, idempotency, clock, ids }),
    conversations: createDataConversations({ store, idempotency, order: createMessageOrder(clock), clock, ids }),
    messages: createDataMessages(store),
    retention: createDataRetention({ store, clock }),
    files: createDataFiles({ store, blobs, warehouse, clock, ids }),
  };
}
