/** A value of a column. */
export type Value = string | number | Uint8Array | null;
/** A row: its values in the order of the table's columns. */
export type Row = readonly Value[];

/** A table as both sides have it. */
export interface MovedTable {
  readonly name: string;
  /** The first ones are the primary key. */
  readonly columns: readonly string[];
  readonly keys: number;
  /** Whether the database counts the key by itself. */
  readonly counted?: boolean;
}

const table = (name: string, keys: number, columns: string, counted = false): MovedTable => ({
  name,
  keys,
  counted,
  columns: columns.split(" "),
});

/** What is moved, in this order. Blobs and keys are files of a folder, and tables of a database. */
export const MOVED_TABLES: readonly MovedTable[] = [
  table("resources", 1, "name type parent display_name create_time update_time etag body"),
  table(
    "conversations",
    1,
    "id name app start_time end_time turn_count source input_types entry_agent deployment app_version language_code state hidden due_time",
    true,
  ),
  table("turns", 1, "id conversation turn_index body extra text withheld", true),
  // Else nobody would erase the turns that are left of them.
  table("removed_conversations", 1, "id"),
  table(
    "operations",
    1,
    "name parent subject done create_time kind metadata response error attempts due_time dead last_error",
  ),
  table("exports", 1, "id destination app created_time bytes body", true),
  table("credentials", 1, "id parent kind principal secret_digest create_time expire_time last_used_time body"),
  table("audit", 1, "id time principal method resource body entry", true),
  table("short_lived", 2, "kind key body expire_time"),
  table(
    "a2a_tasks",
    1,
    "id owner tenant context_id conversation state finished turn create_time update_time expire_time version body",
  ),
  table("a2a_push_configs", 2, "task id create_time due_time attempts body"),
  table("blob_ends", 1, "name end_time"),
  table("blobs", 1, "key bytes"),
  table("server_keys", 1, "name sealed"),
];

/** One end of a move. */
export interface Side {
  /** For messages. */
  readonly place: string;
  /** Rows after a key, in the order of keys. */
  read(table: MovedTable, after: Row | undefined, limit: number): Promise<readonly Row[]>;
  /** The highest key; undefined for an empty table. */
  lastKey(table: MovedTable): Promise<Row | undefined>;
  /** Adds rows, durable when it resolves. */
  write(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** The name of the source whose move into this side has begun and not ended; undefined for none. */
  unfinished(): Promise<string | undefined>;
  /** Notes that a move from a source has begun, or that it has ended. */
  mark(source: string | undefined): Promise<void>;
  close(): Promise<void>;
}
