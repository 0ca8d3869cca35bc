/** A stored resource. The message is kept whole as protobuf bytes; the columns beside it are what queries need. */
export interface ResourceRow {
  /** Full resource name, the key. */
  readonly name: string;
  /** Resource type, e.g. `ces.googleapis.com/Agent`. */
  readonly type: string;
  /** Parent resource name, e.g. the app; "" for none. */
  readonly parent: string;
  readonly displayName: string;
  /** Milliseconds since the epoch. */
  readonly createTime: number;
  readonly updateTime: number;
  readonly etag: string;
  /** The message, binary. */
  readonly body: Uint8Array;
}

/** One row of an atomic write. `ifEtag` makes it conditional: undefined = no condition, "" = must not exist. */
export type ResourceWrite =
  | { readonly kind: "put"; readonly row: ResourceRow; readonly ifEtag?: string }
  | { readonly kind: "delete"; readonly name: string; readonly ifEtag?: string }
  /** Deletes the resource named `prefix` and everything below it (an app's whole tree, its conversations included). */
  | { readonly kind: "delete-tree"; readonly prefix: string };

/** A page of a list, in a stable order. */
export interface ResourceQuery {
  readonly type: string;
  /** Exact parent, or with `-` as a wildcard segment (`projects/p/locations/l/apps/-`). */
  readonly parent: string;
  readonly orderBy: "name" | "create_time" | "update_time";
  readonly descending: boolean;
  /** Start strictly after this position (value of the order column, then name), as the last page's `last` gave it. */
  readonly after?: readonly [string | number, string];
  readonly limit: number;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Position of the last row when more may follow. */
  readonly last?: readonly [string | number, string];
}

/** The configuration resources: apps, agents, tools, versions, … */
export interface ResourceStore {
  get(name: string): Promise<ResourceRow | undefined>;
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, ResourceRow>>;
  list(query: ResourceQuery): Promise<Page<ResourceRow>>;
  /** All children of one parent by types, unpaged: what a snapshot needs. */
  children(parent: string, types: readonly string[]): Promise<readonly ResourceRow[]>;
  /**
   * All or nothing, durable when it resolves. A failed condition rejects with `StaleEtagError` naming the row.
   */
  write(writes: readonly ResourceWrite[]): Promise<void>;
  /**
   * Grows with every write at or below the name: a cheap key for snapshot caches, to be read before what is cached. Zero when
   * never written since the server started.
   */
  generation(parent: string): number;
}

/** The head of a session: what the next turn needs, and what lists show. */
export interface ConversationHead {
  /** `projects/…/apps/…/conversations/{id}`; the id is the session's. */
  readonly name: string;
  /** App resource name. */
  readonly app: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly turnCount: number;
  /** Numbers of `Conversation.Source` and `Conversation.InputType`. */
  readonly source: number;
  readonly inputTypes: readonly number[];
  readonly entryAgent: string;
  readonly deployment: string;
  readonly appVersion: string;
  readonly languageCode: string;
  /** The engine's own continuation, opaque here (variables, active agent, pending calls, ended …): JSON text. */
  readonly state: string;
  /** Left out of lists and searches. Default false. */
  readonly hidden?: boolean;
  /** When the conversation, if no turn follows, must be dealt with (`due`); milliseconds. Default never. */
  readonly dueTime?: number;
}

/** One finished turn. */
export interface TurnRow {
  /** From 1. */
  readonly index: number;
  /** `Conversation.Turn`, binary: messages and root span. */
  readonly body: Uint8Array;
  /** What the engine needs to rebuild the prompt and the messages do not say (thought signatures, …): JSON text, "" for none. */
  readonly extra: string;
  /** Plain words of the turn, for full-text search. */
  readonly text: string;
}

export interface ConversationQuery {
  readonly app: string;
  /** Numbers of `Conversation.Source`; empty = all. */
  readonly sources: readonly number[];
  /** Milliseconds; inclusive bounds on the start time. */
  readonly startAfter?: number;
  readonly startBefore?: number;
  /**
   * Words, each of which begins a word of some turn; case and accents do not count, nor does anything but letters and digits. Only
   * the first sixteen count.
   */
  readonly search?: string;
  /** Newest first, after this position. */
  readonly after?: readonly [string | number, string];
  readonly limit: number;
}

/** Sessions and their turns. */
export interface ConversationStore {
  getHead(name: string): Promise<ConversationHead | undefined>;
  /** Turns in order, from `from` (1-based, default 1). */
  getTurns(name: string, from?: number): Promise<readonly TurnRow[]>;
  /**
   * Appends a finished turn and replaces the head, durable when it resolves; waiting appends of all sessions share one
   * commit. `app` and `startTime` stay those of the first turn; the turn count becomes `turn.index`. Rejects with ABORTED when
   * the stored turn count is not `turn.index - 1`.
   */
  appendTurn(head: ConversationHead, turn: TurnRow): Promise<void>;
  /** Those that are not hidden. */
  list(query: ConversationQuery): Promise<Page<ConversationHead>>;
  /** Removes conversations whole, but those that ended at `endedBefore` or later; answers the names of the removed. Default: all. */
  remove(names: readonly string[], endedBefore?: number): Promise<readonly string[]>;
  /** Names of an app's conversations that ended before a time, those that started first first. */
  endedBefore(app: string, time: number, limit: number): Promise<readonly string[]>;
  /** Heads of all apps whose `dueTime` is not after `time`, the earliest first. */
  due(time: number, limit: number): Promise<readonly ConversationHead[]>;
  /** Replaces the state of a conversation at rest and takes its due time away; false when another turn came, or it is gone. */
  settle(name: string, turnCount: number, state: string): Promise<boolean>;
}

/** A long-running operation as stored: `google.longrunning.Operation` parts, version-neutral. */
export interface OperationRow {
  /** `projects/{p}/locations/{l}/operations/{id}`. */
  readonly name: string;
  /** Parent location name. */
  readonly parent: string;
  readonly done: boolean;
  readonly createTime: number;
  /** Kind of work, e.g. `ImportApp`; with `request` enough to resume or to explain. */
  readonly kind: string;
  /** Binary `google.protobuf.Any` payloads; empty when absent. Type URLs are those of the inside revision (v1beta). */
  readonly metadata: Uint8Array;
  readonly response: Uint8Array;
  /** Binary `google.rpc.Status`; empty unless it failed. */
  readonly error: Uint8Array;
}

export interface OperationStore {
  get(name: string): Promise<OperationRow | undefined>;
  put(row: OperationRow): Promise<void>;
  list(parent: string, limit: number, after?: string): Promise<Page<OperationRow>>;
  remove(name: string): Promise<boolean>;
  /** Those that a crash left undone. */
  unfinished(): Promise<readonly OperationRow[]>;
}

/** Named bytes that live beside the tables: app content, images. Any key; at most 64 MiB each, or RESOURCE_EXHAUSTED. */
export interface BlobStore {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
}

/** One data folder (or database), opened and locked. */
export interface Storage {
  readonly resources: ResourceStore;
  readonly conversations: ConversationStore;
  readonly operations: OperationStore;
  readonly blobs: BlobStore;
  /** Answers when the store takes writes (it makes one); rejects with a `StorageFault` otherwise. For `/readyz`. */
  check(): Promise<void>;
  /** Finishes what was queued, then closes and unlocks. */
  close(): Promise<void>;
}
