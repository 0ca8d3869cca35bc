import type { Page } from "./contract.ts";

/** What a caller shows, as far as it must be known to check it: no secret is in it. */
export interface CredentialRow {
  /** The key. Never reused. */
  readonly id: string;
  /** `projects/{p}` whose admins manage it. */
  readonly parent: string;
  /** E.g. `api-key`. The store does not read it. */
  readonly kind: string;
  /** Whom it makes a caller. */
  readonly principal: string;
  /** SHA-256 of the secret, base64url; "" when nothing secret is known here. */
  readonly secretDigest: string;
  /** Milliseconds since the epoch. */
  readonly createTime: number;
  /** Default never. */
  readonly expireTime?: number;
  /** Undefined before the first use. */
  readonly lastUsedTime?: number;
  /** JSON text. The store does not read it. */
  readonly body: string;
}

/** What somebody did, or tried to do. Never changed. */
export interface AuditRow {
  /** Grows with every row; 0 before it is stored. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** As members of policies are written; "" for callers without a name. */
  readonly principal: string;
  /** Full name of the method. */
  readonly method: string;
  /** Resource name; "" for none. */
  readonly resource: string;
  /** JSON text of everything. The store does not read it. */
  readonly body: string;
  /** Tells the entry from all others; null in rows of earlier releases. */
  readonly entry: string | null;
}

/** Which audit rows to list, the newest first. */
export interface AuditQuery {
  /** Milliseconds since the epoch: from this one, before that one. */
  readonly since?: number;
  readonly until?: number;
  readonly principal?: string;
  /** The last segments of the method's name count too: `DeleteApp`. */
  readonly method?: string;
  /** This resource and everything below it. */
  readonly resource?: string;
  /** Rows before this id. */
  readonly before?: number;
  readonly limit: number;
}

/** Who did what. Rows are added and, when they are old, removed; nothing changes one. */
export interface AuditStore {
  /** Durable when it resolves. An entry that is there already, because the answer to an earlier attempt was lost, is not added again (IAM-24). */
  append(rows: readonly AuditRow[]): Promise<void>;
  /** The work ends when the signal is aborted, whose reason it rejects with then. */
  list(query: AuditQuery, signal?: AbortSignal): Promise<readonly AuditRow[]>;
  /** Removes rows older than a time. Returns how many. */
  removeBefore(time: number): Promise<number>;
}

/** Which credentials to list. */
export interface CredentialQuery {
  readonly parent: string;
  /** Empty = all. */
  readonly kinds: readonly string[];
  /** By id, after this one. */
  readonly after?: string;
  readonly limit: number;
}

/** Keys and tokens that this server issued. */
export interface CredentialStore {
  get(id: string): Promise<CredentialRow | undefined>;
  list(query: CredentialQuery): Promise<Page<CredentialRow>>;
  /** Stores a new credential; ALREADY_EXISTS for an id that there is. */
  insert(row: CredentialRow): Promise<void>;
  /** Deletes a credential; false when there was none. */
  remove(id: string): Promise<boolean>;
  /** Deletes what expired before a time, milliseconds. Returns how many. */
  removeExpired(before: number): Promise<number>;
  /** Stores when credentials were used last; those that are gone are skipped. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Grows with every change but `touch`: what was found of a credential is valid while this number stays. Read it before the row. A change
   * by this process counts before its promise resolves.
   */
  generation(): number;
}
