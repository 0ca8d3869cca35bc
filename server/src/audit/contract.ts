/** What kind of call an entry is about. */
export type AuditCategory =
  /** Changes configuration: apps, keys, policies. */
  | "write"
  /** Reads configuration or what was stored. */
  | "read"
  /** Talks to an agent or to data, or runs a tool. */
  | "use";

/** One call, as the audit log keeps it: no body of a request or response, and no secret, is in it. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly category: AuditCategory;
  /** Full name of the method: `google.cloud.ces.v1beta.AgentService.DeleteApp`. */
  readonly method: string;
  /** The resource of the call, as far as the request or the response names one; "" for none. */
  readonly resource: string;
  /** As members of policies are written; "" for callers without a name. */
  readonly principal: string;
  /** Kind of the caller's credential. */
  readonly kind: string;
  /** Id of the key or issuer that vouched for the caller; "" for none. */
  readonly credential: string;
  /** IP address of the client; "" within the process. */
  readonly address: string;
  readonly protocol: string;
  /** The id that the log lines of the call have. */
  readonly requestId: string;
  /** Canonical status code: `OK`, `PERMISSION_DENIED`, … */
  readonly outcome: string;
  /** `ErrorInfo.reason` of a refusal. */
  readonly reason?: string;
}

/** An entry on its way to its places. */
export interface RecordedEntry extends AuditEntry {
  /** The same however often it is written, in each place. */
  readonly entryId: string;
}

/** An entry with its place in the log. */
export interface StoredEntry extends AuditEntry {
  readonly id: number;
}

/** The database or data folder, or the file beside it. */
export type AuditPlace = "store" | "file";

/** Whether a place takes entries. */
export interface AuditPlaceState {
  readonly place: AuditPlace;
  /** Entries that could not be written yet. */
  readonly waiting: number;
  /** Why they could not; undefined while the place is written. */
  readonly fault?: string;
}

/** Where entries go. */
export interface AuditLog {
  /** Resolves when the entry is durable, or has to wait until it can be written (IAM-23); it never fails. */
  append(entry: AuditEntry): Promise<void>;
  /** Where entries go, and what waits there. */
  state(): readonly AuditPlaceState[];
  /** Resolves when all entries are written. Those that cannot be are in the server's log. */
  close(): Promise<void>;
}

/** What is recorded besides refusals and changes. */
export interface AuditConfig {
  readonly records: ReadonlySet<AuditCategory>;
  /** File that gets each entry as a line of JSON, too. */
  readonly file?: string;
  /** Whether calls that are to be recorded are refused while entries cannot be written. */
  readonly required: boolean;
  /** Milliseconds after which entries are removed from the store. */
  readonly keepMs: number;
}
