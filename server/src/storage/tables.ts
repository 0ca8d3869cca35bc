import type { Generated, Selectable } from "kysely";

/** The tables as Kysely sees them: the same names and types in every dialect. Times are milliseconds since the epoch. */
export interface Tables {
  readonly resources: ResourceTable;
  readonly conversations: ConversationTable;
  readonly turns: TurnTable;
  readonly operations: OperationTable;
  readonly exports: ExportTable;
  readonly credentials: CredentialTable;
  readonly audit: AuditTable;
  readonly a2a_tasks: TaskTable;
  readonly a2a_push_configs: PushConfigTable;
  readonly short_lived: ShortLivedTable;
  readonly blob_ends: BlobEndTable;
}

/** Blobs that are removed at a time. */
interface BlobEndTable {
  /** SHA-256 of the key, hexadecimal. */
  readonly name: string;
  readonly end_time: number;
}

/** Values that expire. */
interface ShortLivedTable {
  readonly kind: string;
  readonly key: string;
  readonly body: string;
  readonly expire_time: number;
}

/** Configuration resources, one row each. */
interface ResourceTable {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly display_name: string;
  readonly create_time: number;
  readonly update_time: number;
  readonly etag: string;
  readonly body: Uint8Array;
}

/** The head of each session. */
interface ConversationTable {
  /** Short key of the conversation in its turns. Never reused. */
  readonly id: Generated<number>;
  readonly name: string;
  readonly app: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly turn_count: number;
  readonly source: number;
  /** JSON array of numbers. */
  readonly input_types: string;
  readonly entry_agent: string;
  readonly deployment: string;
  readonly app_version: string;
  readonly language_code: string;
  readonly state: string;
  /** 0 or 1. */
  readonly hidden: number;
  /** Null for never. */
  readonly due_time: number | null;
}

/** Finished turns. The turns of a deleted conversation are never read; maintenance deletes them later. */
interface TurnTable {
  /** Grows with every stored turn and is never reused: the full-text index is built in this order. */
  readonly id: Generated<number>;
  readonly conversation: number;
  readonly turn_index: number;
  readonly body: Uint8Array;
  readonly extra: string;
  readonly text: string;
  /** 0 or 1. */
  readonly withheld: number;
}

/** Long-running operations. */
interface OperationTable {
  readonly name: string;
  readonly parent: string;
  readonly subject: string;
  /** 0 or 1. */
  readonly done: number;
  readonly create_time: number;
  readonly kind: string;
  /** The server that does the work, where several share the table; "" else. */
  readonly owner: string;
  /** 0 or 1: whether the owner is asked to cancel it. */
  readonly cancelling: number;
  readonly metadata: Uint8Array;
  readonly response: Uint8Array;
  readonly error: Uint8Array;
  /** Attempts that failed. */
  readonly attempts: number;
  /** When the next attempt begins; null while none is waited for. */
  readonly due_time: number | null;
  /** 0 or 1: whether it failed for good and may be begun again. */
  readonly dead: number;
  /** Of the last attempt that failed; empty for none. */
  readonly last_error: Uint8Array;
}

/** Rows for other services, until they are delivered. */
interface ExportTable {
  readonly id: Generated<number>;
  readonly destination: string;
  /** "" for rows that an earlier schema stored. */
  readonly app: string;
  readonly created_time: number;
  /** UTF-8 length of the body, so that a batch can be chosen without reading it. */
  readonly bytes: number;
  /** JSON. */
  readonly body: string;
}

/** Who did what: rows are never updated. */
interface AuditTable {
  readonly id: Generated<number>;
  readonly time: number;
  readonly principal: string;
  readonly method: string;
  readonly resource: string;
  /** JSON. */
  readonly body: string;
  readonly entry: string | null;
}

/** What callers show, as far as it must be known to check it. */
interface CredentialTable {
  readonly id: string;
  readonly parent: string;
  readonly kind: string;
  readonly principal: string;
  /** SHA-256 of the secret, base64url; "" when nothing secret is known here. */
  readonly secret_digest: string;
  readonly create_time: number;
  /** Null for never. */
  readonly expire_time: number | null;
  /** Null before the first use. */
  readonly last_used_time: number | null;
  /** JSON. */
  readonly body: string;
}

/** Tasks of the A2A protocol. */
interface TaskTable {
  readonly id: string;
  readonly owner: string;
  readonly tenant: string;
  readonly context_id: string;
  readonly conversation: string;
  readonly state: number;
  /** 0 or 1. */
  readonly finished: number;
  readonly turn: number;
  readonly create_time: number;
  readonly update_time: number;
  /** Null while it is removed with its conversation only. */
  readonly expire_time: number | null;
  readonly version: number;
  readonly body: Uint8Array;
  /** The server that runs its turn, where several share the table; "" else. */
  readonly server: string;
}

/** Where changes of tasks are announced. */
interface PushConfigTable {
  readonly task: string;
  readonly id: string;
  readonly create_time: number;
  /** Null while there is nothing to announce. */
  readonly due_time: number | null;
  readonly attempts: number;
  readonly body: Uint8Array;
}

export type StoredResource = Selectable<ResourceTable>;
export type StoredConversation = Selectable<ConversationTable>;
export type StoredOperation = Selectable<OperationTable>;
export type StoredCredential = Selectable<CredentialTable>;
export type StoredTask = Selectable<TaskTable>;
export type StoredPushConfig = Selectable<PushConfigTable>;
/** A head and an export as they are written. */
export type HeadValues = Omit<StoredConversation, "id">;
export type ExportValues = Omit<Selectable<ExportTable>, "id">;
