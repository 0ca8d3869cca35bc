import type { Clock, Ids, Logger, Sealer } from "#base";
import type { BlobStore, ResourceStore } from "#storage";
import type { Warehouse } from "#warehouse";
import { createDataAgents, type DataAgents } from "./agents/data-agents.ts";
import { createIdempotencyStore } from "./agents/idempotency-store.ts";
import { createDataRetention, type DataRetention } from "./agents/retention.ts";
import { createDataConnections, type DataConnections } from "./connections/data-connections.ts";
import { createDataConversations, type DataConversations } from "./conversations/data-conversations.ts";
import { createDataMessages, type DataMessages } from "./conversations/data-messages.ts";
import { createMessageOrder } from "./conversations/message-rows.ts";
import { createDataFiles, type DataFiles } from "./files/data-files.ts";
import { createRefreshSchedules, type RefreshSchedules } from "./schedules/refresh-schedules.ts";
import { createSharedAnswers, type SharedAnswers } from "./shared/shared-answers.ts";
import { createOwnData, type OwnData } from "./sources/own-data.ts";

/** The stores of data agents and of conversations with them. */
export interface DataStores {
  readonly agents: DataAgents;
  readonly conversations: DataConversations;
  readonly messages: DataMessages;
  readonly retention: DataRetention;
  readonly files: DataFiles;
  readonly connections: DataConnections;
  /** Files and connections, as contexts name them. */
  readonly ownData: OwnData;
  readonly schedules: RefreshSchedules;
  readonly shared: SharedAnswers;
}

interface DataStoresDeps {
  readonly store: ResourceStore;
  readonly blobs: BlobStore;
  /** Reads uploaded files and connected databases. */
  readonly warehouse: Warehouse;
  /** Seals webhooks and passwords. */
  readonly sealer: Sealer;
  /** Whether what somebody sees of data depends on who it is. Default false. */
  readonly isRuled?: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Creates the stores of data agents over the resources of a server. */
export function createDataStores({
  store,
  blobs,
  warehouse,
  sealer,
  clock,
  ids,
  logger,
  isRuled = false,
}: DataStoresDeps): DataStores {
  const idempotency = createIdempotencyStore({ store, clock });
  const agents = createDataAgents({ store, idempotency, clock, ids });
  const files = createDataFiles({ store, blobs, warehouse, clock, ids, logger });
  const connections = createDataConnections({ store, warehouse, sealer, clock, ids, logger });
  return {
    agents,
    conversations: createDataConversations({ store, idempotency, order: createMessageOrder(clock), clock, ids }),
    messages: createDataMessages(store),
    retention: createDataRetention({ store, clock }),
    ...{ files, connections, ownData: createOwnData([files.kind, connections.kind]) },
    shared: createSharedAnswers({ store, clock, ids }),
    schedules: createRefreshSchedules({ store, agents, sealer, clock, ids, isRuled }),
  };
}
