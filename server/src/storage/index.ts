/** Durable state behind store interfaces; one dialect a folder, the same contract tests for each. */
export type {
  BlobStore,
  ConversationHead,
  ConversationQuery,
  ConversationStore,
  OperationRow,
  OperationStore,
  Page,
  ResourceQuery,
  ResourceRow,
  ResourceStore,
  ResourceWrite,
  Storage,
  TurnRow,
} from "./contract.ts";
export { openStorage, type StorageOptions } from "./open-storage.ts";
export { StaleEtagError } from "./stale-etag-error.ts";
export { StorageFault, type StorageFaultReason } from "./storage-fault.ts";
