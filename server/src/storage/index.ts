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
