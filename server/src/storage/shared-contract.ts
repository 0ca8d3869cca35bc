/** Keys of the server that all its processes must have. The caller seals them. */
export interface KeyStore {
  /** The stored key; of several servers that make it at the same time, all get the same one. */
  getOrMake(name: string, make: () => Uint8Array): Promise<Uint8Array>;
  replace(name: string, sealed: Uint8Array): Promise<void>;
}

/** A value that all servers of the data have until a time. */
export interface ShortLived {
  /** What it is about, such as "link". */
  readonly kind: string;
  readonly key: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly expireTime: number;
}

/** Values that expire: what one server begins and another may end. */
export interface ShortLivedStore {
  /** Adds a value; false when its key has one. Of more than `most` of the kind, those that expire first give way. */
  add(value: ShortLived, most: number): Promise<boolean>;
  /** Adds or replaces a value, and tells the other servers. */
  put(value: ShortLived): Promise<void>;
  get(kind: string, key: string): Promise<string | undefined>;
  /** False when the value is another one. */
  replace(kind: string, key: string, before: string, after: string): Promise<boolean>;
  /** Removes a value and returns it, to one caller only. */
  take(kind: string, key: string): Promise<string | undefined>;
  remove(kind: string, key: string): Promise<void>;
  /** Called with the key of each value of the kind that another server put, within a second. */
  onPut(kind: string, listener: (key: string) => void): void;
}

/** Where a server takes turns of the others (DB-53). */
export interface ReplicaAddress {
  /** Of the server, as in `Replica.id`. */
  readonly id: string;
  /** A name or an IP address. */
  readonly host: string;
  readonly port: number;
  /** The key of its connections, sealed. */
  readonly sealedKey: Uint8Array;
}

/** What a server of several knows of itself and the others. */
export interface Replica {
  readonly id: string;
  /** Tells the others where this server takes their turns, from now on. */
  announce(address: Omit<ReplicaAddress, "id">): Promise<void>;
  /** Why this server may hold nothing: its clock is not the database's (DB-9). Undefined while it is. */
  clockFault(): Error | undefined;
  /** Tells the other servers of the database something, within a second. Who is away for a minute misses it. */
  tell(topic: string, body: string): Promise<void>;
  /** Called with what another server told. */
  subscribe(topic: string, listener: (body: string) => void): void;
  /** Whether a server of this database is seen alive. */
  isAlive(id: string): Promise<boolean>;
  /** Runs the work unless another server of the database is at it. Resolves to false then. */
  exclusively(name: string, work: () => Promise<void>): Promise<boolean>;
}

/** How a PostgreSQL database is reached. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the TLS options of libpq: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`. */
  readonly url: string;
  /** A standby that lists of conversations and of the audit log are read from: what it has may be some seconds old. Default: none. */
  readonly readUrl?: string;
  /** The password as it is, while in a URL some of its characters have to be encoded. Default: the URL's. */
  readonly password?: string;
  /** A file with the password, which is read for each connection, so that it can rotate. Default: `password`. */
  readonly passwordFile?: string;
  /** Connections at once. Default 10. */
  readonly connections?: number;
  /** Whether pending migrations are applied at the start. Default true; else the start fails with the command that applies them. */
  readonly migrate?: boolean;
  /** The name of this server in the table of replicas and in logs. Default: the name of the machine. */
  readonly replica?: string;
}

/** Where blobs are kept beside the database or the data folder: a bucket of an S3-compatible store. */
export interface BucketOptions {
  /** `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`: without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before the name of each object: "" or a path with a slash at its end. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}
