/** Durable data behind store interfaces: one folder per SQL dialect, the same contract tests for each. */

export type { AuditQuery, AuditRow, AuditStore, CredentialRow, CredentialStore } from "./caller-contract.ts";
export { checkStorage } from "./check-storage.ts";
export type {
  BlobStore,
  ConversationColumn,
  ConversationCondition,
  ConversationHead,
  ConversationQuery,
  ConversationStore,
  ForeignWrite,
  ListedConversation,
  OperationQuery,
  OperationRow,
  OperationState,
  OperationStore,
  ResourceQuery,
  ResourceRow,
  ResourceStore,
  ResourceWrite,
  SessionLease,
  Storage,
  TextSearch,
  TurnRow,
} from "./contract.ts";
export { StaleEtagError, StorageError } from "./errors.ts";
export { expiringBlobs } from "./expiring-blobs.ts";
export type { ExportRow, ExportStore, StoredExport } from "./export-contract.ts";
export type { Job, JobEnd, JobQueue, JobQueues } from "./jobs/contract.ts";
export { createLocalJobs } from "./jobs/local-jobs.ts";
export { pauseAfter } from "./jobs/pause.ts";
export type { MoveReport } from "./move/move.ts";
export { migrateSchema, moveBlobs, moveStorage, openStorage } from "./open-storage.ts";
export { addressFault } from "./postgres/address-options.ts";
export { hasTlsMode } from "./postgres/tls-options.ts";
export { searchWords } from "./select-conversations.ts";
export type {
  BucketOptions,
  DatabaseOptions,
  KeyStore,
  Replica,
  ReplicaAddress,
  ShortLivedStore,
} from "./shared-contract.ts";
export { readStoredValue } from "./stored-value.ts";
export type { DueConfig, PushConfigRow, TaskQuery, TaskRow, TaskStore } from "./task-contract.ts";
