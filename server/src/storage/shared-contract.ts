/** Keys of the server that all its processes must have. The caller seals them. */
export interface KeyStore {
  /** The stored key; of several servers that make it at the same time, all get the same one. */
  getOrMake(name: string, make: () => Uint8Array): Promise<Uint8Array>;
  replace(name: string, sealed: Uint8Array): Promise<void>;
}

/** What a server of several knows of itself and the others. */
export interface Replica {
  readonly id: string;
  /** Runs the work unless another server of the database is at it. Resolves to false then. */
  exclusively(name: string, work: () => Promise<void>): Promise<boolean>;
}

/** How a PostgreSQL database is reached. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the TLS options of libpq: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`. */
  readonly url: string;
  /** A file with the password, which is read for each connection, so that it can rotate. Default: the URL's. */
  readonly passwordFile?: string;
  /** Connections at once. Default 10. */
  readonly connections?: number;
  /** Whether pending migrations are applied at the start. Default true; else the start fails with the command that applies them. */
  readonly migrate?: boolean;
  /** The name of this server in the table of replicas and in logs. Default: the name of the machine. */
  readonly replica?: string;
}
