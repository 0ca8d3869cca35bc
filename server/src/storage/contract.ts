import type { Clock, Logger } from "#base";
import type { AuditStore, CredentialStore } from "./caller-contract.ts";
import type { ExportRow, ExportStore } from "./export-contract.ts";
import type { JobQueues } from "./jobs/contract.ts";
import type {
  BucketOptions,
  DatabaseOptions,
  KeyStore,
  Replica,
  ReplicaAddress,
  ShortLivedStore,
} from "./shared-contract.ts";
import type { TaskStore } from "./task-contract.ts";

/** A stored resource: the whole message as protobuf bytes, and columns for queries. */
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

/**
 * One change of an atomic write. `ifEtag` makes it conditional: undefined = no condition, "" = the row must not exist. A deletion that
 * tells the row's type leaves the generations of its siblings of other types as they are.
 */
export type ResourceWrite =
  | { readonly kind: "put"; readonly row: ResourceRow; readonly ifEtag?: string }
  /** Replaces the row of its name, whatever its etag is. Where there is none, none is made: what was deleted meanwhile stays deleted. */
  | { readonly kind: "replace"; readonly row: ResourceRow }
  | { readonly kind: "delete"; readonly name: string; readonly type?: string; readonly ifEtag?: string }
  /** Deletes the resource named `prefix` and everything below it (an app's whole tree: its conversations too, and their rows that wait for other services). */
  | { readonly kind: "delete-tree"; readonly prefix: string };

/** A query for one page of resources. */
export interface ResourceQuery {
  readonly type: string;
  /** Exact parent, or with `-` as a wildcard segment (`projects/p/locations/l/apps/-`). */
  readonly parent: string;
  /** Only resources with one of these names, however many. Default all. */
  readonly among?: readonly string[];
  readonly orderBy: "name" | "create_time" | "update_time";
  readonly descending: boolean;
  /** Start strictly after this position: the `last` of the previous page. */
  readonly after?: readonly [string | number, string];
  readonly limit: number;
}

/** A page of rows in a stable order. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** Position of the last row (value of the order column, then name) when more rows follow. */
  readonly last?: readonly [string | number, string];
}

/** A page that may have ended before it was full, though the list goes on (DB-42). */
export interface ScannedPage<T> extends Page<T> {
  /** Then the position of the last row that was read for it, and how many were. */
  readonly part?: { readonly last: readonly [string | number, string]; readonly scanned: number };
}

/** The configuration resources: apps, agents, tools, versions, … */
export interface ResourceStore {
  get(name: string): Promise<ResourceRow | undefined>;
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, ResourceRow>>;
  list(query: ResourceQuery): Promise<Page<ResourceRow>>;
  /** The names of all resources of a type below a parent, which may have wildcards, in order. */
  names(query: Pick<ResourceQuery, "type" | "parent">): Promise<readonly string[]>;
  /** All children of one parent by types, not paged. */
  children(parent: string, types: readonly string[]): Promise<readonly ResourceRow[]>;
  /** A resource, where it exists, and its children of at least one type: for snapshots. */
  withChildren(name: string, types: readonly string[]): Promise<readonly ResourceRow[]>;
  /** All or nothing; durable when it resolves. A failed condition rejects with a `StaleEtagError` that names the row. */
  write(writes: readonly ResourceWrite[]): Promise<void>;
  /**
   * Grows with every write of the row, and of the rows of some types directly below it: a cheap key for caches. Read it before the rows
   * that are cached. Zero when nothing of it was written since the server started. Writes of other servers count within a second, and those that
   * were durable before a call of `refresh` when it resolves.
   */
  generation(name: string, childTypes?: readonly string[]): number;
  /**
   * The names of the row and of its children of some types that were written or deleted after an earlier `generation` of the same: all that a
   * cache of that generation has to read again. Undefined when that is no longer known: any may have changed.
   */
  changedSince(generation: number, name: string, childTypes: readonly string[]): readonly string[] | undefined;
  /** Undefined where one server has the data. */
  readonly refresh?: () => Promise<void>;
  /** Calls back with each write of another server, and with undefined when any may have been missed. Undefined where one server has the data. */
  readonly onForeignWrite?: (listener: (write: ForeignWrite | undefined) => void) => void;
}

/** A write of another server: of a row, or of a row and everything below it. */
export interface ForeignWrite {
  readonly kind: "resource" | "tree";
  readonly name: string;
}

/** The head of a conversation: what the next turn needs, and what lists show. */
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
  /** The session's state (variables, active agent, pending calls, ended …) as JSON text. The stores do not read it. */
  readonly state: string;
  /** Left out of lists and searches. Default false. */
  readonly hidden?: boolean;
  /** When `due` returns the conversation unless another turn follows, in milliseconds. Default never. */
  readonly dueTime?: number;
}

/** One finished turn. */
export interface TurnRow {
  /** From 1. */
  readonly index: number;
  /** `Conversation.Turn`, binary: messages and root span. */
  readonly body: Uint8Array;
  /** What rebuilding the prompt needs beside the messages (thought signatures, …): JSON text, "" for none. */
  readonly extra: string;
  /** The turn's text for full-text search. */
  readonly text: string;
  /** All that the turn has is in `extra`, and only until `settle`: nothing of it may be recorded. Default false. */
  readonly withheld?: boolean;
}

/** What is searched in the texts of turns. */
export interface TextSearch {
  /**
   * Words, each of which must be a prefix of a word of some turn; case, accents and all characters but letters and digits are ignored. A search
   * without a word finds nothing.
   */
  readonly words: string;
  /** One turn must also have the text as it is, but for the case of ASCII letters. Default false. */
  readonly isExact?: boolean;
}

/**
 * What the store decides by itself about a conversation. `start`: inclusive bounds on the
 * start time, milliseconds. `column`: compared as the database does.
 */
export type ConversationCondition =
  | { readonly kind: "and" | "or"; readonly operands: readonly ConversationCondition[] }
  | { readonly kind: "not"; readonly operand: ConversationCondition }
  | ({ readonly kind: "search" } & TextSearch)
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "time";
      readonly column: "start_time" | "end_time";
      readonly from?: number;
      readonly to?: number;
    }
  | {
      readonly kind: "column";
      readonly column: ConversationColumn;
      readonly comparator: "=" | "<" | "<=" | ">" | ">=";
      /** Of numbers, an integer of 32 bits. */
      readonly value: string | number;
    };

/** Columns of a conversation's head that a list is narrowed by. */
export type ConversationColumn =
  | "source"
  | "turn_count"
  | "language_code"
  | "entry_agent"
  | "deployment"
  | "app_version";

/** Which conversations of an app to list. */
export interface ConversationQuery {
  readonly app: string;
  /** Numbers of `Conversation.Source`; empty = all. */
  readonly sources: readonly number[];
  /** Default: all conversations. */
  readonly where?: ConversationCondition;
  /** Searches (as in a condition) that are answered for each row, in `ListedConversation.found`. Default none. */
  readonly searches?: readonly TextSearch[];
  /** Newest first, after this position. */
  readonly after?: readonly [string | number, string];
  readonly limit: number;
}

/** A row of a list. */
export interface ListedConversation {
  readonly head: ConversationHead;
  /** For each of the query's `searches`, whether the conversation matches it. */
  readonly found: readonly boolean[];
}

/** The right to run one turn of a session. */
export interface SessionLease {
  /** What the turn's commit shows. */
  readonly token: string;
  /** Whether this server also ran the turn before, so that what it remembers of the session is what is stored. */
  readonly unchanged: boolean;
  /** What is stored of the session, when it is not unchanged; undefined when nothing is. */
  readonly head: ConversationHead | undefined;
  /** Lets others go on, when no turn was stored. Returns at once. */
  release(): void;
}

/** Who may run the next turn of a conversation, of all servers of a database. Each lease keeps the other servers from the conversation. */
export interface SessionLeases {
  /** Waits until no other server runs a turn of the conversation. Rejects with the signal's reason. */
  acquire(conversation: string, signal: AbortSignal): Promise<SessionLease>;
  /** Undefined while another server runs a turn of the conversation. */
  tryAcquire(conversation: string): Promise<SessionLease | undefined>;
  /** The server that runs a turn of the conversation now, where it takes turns of others; undefined for none. */
  holder(conversation: string): Promise<ReplicaAddress | undefined>;
}

/** Sessions and their turns. */
export interface ConversationStore {
  /**
   * The head of a conversation. The same object as before, or as returned by `appendTurn`, means that the conversation is unchanged:
   * data derived from its turns can be cached with it in a `WeakMap`. Another object means nothing.
   */
  getHead(name: string, lease?: SessionLease): Promise<ConversationHead | undefined>;
  /** Turns in order. */
  getTurns(name: string): Promise<readonly TurnRow[]>;
  /** One turn, from 1. */
  getTurn(name: string, index: number): Promise<TurnRow | undefined>;
  /** The bodies of the turns of conversations that exist and are not hidden, in order, by the conversation's name. */
  getTurnsOfMany(names: readonly string[]): Promise<ReadonlyMap<string, readonly Uint8Array[]>>;
  /**
   * Appends a finished turn and replaces the head; durable when it resolves. Waiting appends of all sessions share one
   * commit. `app` and `startTime` stay those of the first turn; the turn count becomes `turn.index`. Returns the head as stored.
   * `exports` are stored with the turn or not at all.
   * Rejects with ABORTED when the stored turn count is not `turn.index - 1`, or the lease is lost. A lease ends with the turn.
   */
  appendTurn(
    head: ConversationHead,
    turn: TurnRow,
    exports?: readonly ExportRow[],
    lease?: SessionLease,
  ): Promise<ConversationHead>;
  /** The rights to run turns of conversations. Undefined where one server has all sessions. */
  readonly leases?: SessionLeases;
  /** Conversations that are not hidden. The work ends when the signal is aborted, whose reason it rejects with then. */
  list(query: ConversationQuery, signal?: AbortSignal): Promise<ScannedPage<ListedConversation>>;
  /** Deletes conversations with their turns, except those that ended at `endedBefore` or later. Returns the deleted names. Default: all. */
  remove(names: readonly string[], endedBefore?: number): Promise<readonly string[]>;
  /** Names of an app's conversations that ended before a time, by start time. */
  endedBefore(app: string, time: number, limit: number): Promise<readonly string[]>;
  /** Heads of all apps whose `dueTime` is not after `time`, the earliest first. */
  due(time: number, limit: number): Promise<readonly ConversationHead[]>;
  /** Replaces the state, empties withheld turns and clears the due time; false when the turn count is another one, or the conversation was deleted. */
  settle(name: string, turnCount: number, state: string): Promise<boolean>;
}

/** A stored long-running operation: the parts of `google.longrunning.Operation`. */
export interface OperationRow {
  /** `projects/{p}/locations/{l}/operations/{id}`. */
  readonly name: string;
  /** Parent location name. */
  readonly parent: string;
  /** The resource that the work is about; "" for operations of earlier releases. */
  readonly subject: string;
  readonly done: boolean;
  readonly createTime: number;
  /** Kind of work, e.g. `ImportApp`. */
  readonly kind: string;
  /** Binary `google.protobuf.Any` payloads; empty when absent. Type URLs are of v1beta. */
  readonly metadata: Uint8Array;
  readonly response: Uint8Array;
  /** Binary `google.rpc.Status`; empty unless it failed. */
  readonly error: Uint8Array;
  /** Attempts that failed. */
  readonly attempts: number;
  /** When the next attempt begins, in milliseconds. Default: none is waited for. */
  readonly dueTime?: number | undefined;
  /** Whether it failed for good, and may be begun again: a dead letter. */
  readonly isDead: boolean;
  /** Binary `google.rpc.Status` of the last attempt that failed; empty for none. */
  readonly lastError: Uint8Array;
}

/** What has become of an operation. `waiting`: for its next attempt; `dead`: failed, and may be begun again. */
export type OperationState = "running" | "waiting" | "succeeded" | "failed" | "dead";

/** A query for one page of operations, the newest first. */
export interface OperationQuery {
  readonly parent: string;
  /** Default: all. */
  readonly state?: OperationState;
  /** Start strictly after this position: the `last` of the previous page. */
  readonly after?: readonly [string | number, string];
  readonly limit: number;
}

/** Long-running operations by name. Times are milliseconds since the epoch. */
export interface OperationStore {
  get(name: string): Promise<OperationRow | undefined>;
  put(row: OperationRow): Promise<void>;
  list(parent: string, limit: number, after?: string): Promise<Page<OperationRow>>;
  /** The newest first. */
  newest(query: OperationQuery): Promise<Page<OperationRow>>;
  /** How many dead letters there are. */
  countDead(): Promise<number>;
  /** Replaces an operation of this server. False for one that is deleted or another server's, which stays as it is. */
  change(row: OperationRow): Promise<boolean>;
  /** Replaces a dead letter, which is this server's from then on; false when it is none any more. */
  reopen(row: OperationRow): Promise<boolean>;
  /** Makes this server the one that works on an operation, whose next attempt is due, and returns it. Undefined for one that is done, and for an unknown one. */
  claim(name: string): Promise<OperationRow | undefined>;
  remove(name: string): Promise<boolean>;
  /** Removes operations that are done, are no dead letters and began before a time, at most `limit`, the oldest first. Returns how many. */
  removeDone(before: number, limit: number): Promise<number>;
  /**
   * Operations of this server that are not done: after a restart, those that the last one did not finish. Where several servers share the table,
   * those of servers that have ended are this one's from the call on.
   */
  unfinished(): Promise<readonly OperationRow[]>;
  /** What servers that share the table ask each other. Undefined where one server has it. */
  readonly shared?: {
    /** Asks the server that does the work to cancel it. */
    requestCancel(name: string): Promise<void>;
    /** Of these operations, which this server runs: those that another was asked to cancel, and those that another has taken over. */
    askedOf(
      names: readonly string[],
    ): Promise<{ readonly cancelled: readonly string[]; readonly lost: readonly string[] }>;
  };
}

/** Named bytes beside the tables: uploaded files, answers that evaluations keep. Any key; more than 64 MiB is RESOURCE_EXHAUSTED. */
export interface BlobStore {
  get(key: string): Promise<Uint8Array | undefined>;
  /** `endTime`: milliseconds since the epoch from which `removeEnded` may remove it. Default: it is kept until it is removed. */
  put(key: string, bytes: Uint8Array, endTime?: number): Promise<void>;
  remove(key: string): Promise<void>;
  /** Removes blobs that end at `now` or before, at most `limit`, those that ended first. Returns how many. */
  removeEnded(now: number, limit: number): Promise<number>;
}

/** One data folder (or database), opened and locked. */
export interface Storage {
  readonly resources: ResourceStore;
  readonly conversations: ConversationStore;
  readonly operations: OperationStore;
  readonly jobs: JobQueues;
  readonly exports: ExportStore;
  readonly credentials: CredentialStore;
  readonly audit: AuditStore;
  readonly tasks: TaskStore;
  readonly blobs: BlobStore;
  readonly shortLived: ShortLivedStore;
  /** Undefined where keys are files of the data folder. */
  readonly keys?: KeyStore;
  /** Undefined where one server has the data. */
  readonly replica?: Replica;
  /** Makes a small write; rejects with a `StorageError` when the data folder takes none. For `/readyz`. */
  check(): Promise<void>;
  /** Finishes the queued writes, then closes and unlocks. */
  close(): Promise<void>;
}

/** Where the data is, and what the stores need. */
export interface StorageOptions {
  /** Folder of the embedded database; created, readable by this user only, when missing. */
  readonly dataDir: string;
  /** A PostgreSQL database in place of the embedded one; then nothing is stored in the folder. */
  readonly database?: DatabaseOptions;
  /** A bucket for blobs. Default: they are in the database, or files of the folder. */
  readonly bucket?: BucketOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each commit with the number of writes that shared it. */
  readonly onCommit?: (writes: number) => void;
  /** Called for each list that a standby is there for (DB-13), with where it is read. */
  readonly onLateRead?: (from: "standby" | "database") => void;
}
