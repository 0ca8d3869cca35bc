/** Durable data behind store interfaces: one folder per SQL dialect, the same contract tests for each. */
export type {
  AuditQuery,
  AuditRow,
  AuditStore,
  ConversationCondition,
  ConversationHead,
  ConversationQuery,
  ConversationStore,
  CredentialRow,
  CredentialStore,
  ExportRow,
  ExportStore,
  ListedConversation,
  OperationRow,
  OperationStore,
  ResourceQuery,
  ResourceRow,
  ResourceStore,
  ResourceWrite,
  Storage,
  StoredExport,
  TurnRow,
} from "./contract.ts";
export { StaleEtagError, StorageError } from "./errors.ts";
export { searchWords } from "./select-conversations.ts";
export { openSqlite as openStorage } from "./sqlite/open-sqlite.ts";
export type { DueConfig, PushConfigRow, TaskPage, TaskQuery, TaskRow, TaskStore } from "./task-contract.ts";
