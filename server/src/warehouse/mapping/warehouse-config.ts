/** What one name of the outside stands for on this machine. */
export interface SourceMapping {
  /** One to three parts: project, dataset, table. `*` as project: any. */
  readonly name: TablePattern;
  /** A folder whose files are tables, one file that is a table, or a DuckDB database. Absolute. */
  readonly path: string;
  /** Schema inside the database that the dataset shows. Default: the dataset's own name, else `main`. */
  readonly schema?: string;
}

/** A PostgreSQL database that a name of the outside stands for. */
export interface PostgresMapping {
  readonly name: TablePattern;
  /** `postgresql://…`, read at each connection: never kept, never told. */
  readonly connectionString: () => string;
  /** Schema that the dataset shows. Default: the dataset's own name, else `public`. */
  readonly schema?: string;
}

/** A Looker instance whose explores may be asked. */
export interface LookerInstance {
  /** `https://acme.cloud.looker.com`, without a path; http only for a loopback address. */
  readonly origin: string;
  /** An API key for questions that bring no credentials, read at each login. Default none: each question brings its own. */
  readonly apiKey?: () => { readonly clientId: string; readonly clientSecret: string };
}

/** Tables of BigQuery under their own names. */
export interface BigQueryMapping {
  readonly name: TablePattern;
  /** One object for all mappings that ask in the same way: their tables can be joined. */
  readonly access: BigQueryAccess;
}

/** Where BigQuery is and as whom it is asked. */
export interface BigQueryAccess {
  /** The project that pays for the queries. Default: that of the first table. */
  readonly project?: string;
  /** Where the jobs run, e.g. `EU`. Default: BigQuery finds out by the tables. */
  readonly location?: string;
  /** Address in place of Google's own, without a slash at the end. */
  readonly endpoint?: string;
  /** Gives the token of a call. */
  readonly accessToken: () => Promise<string>;
}

export type TablePattern = readonly [project: string, dataset?: string, table?: string];

export interface WarehouseConfig {
  readonly sources: readonly SourceMapping[];
  /** PostgreSQL databases. Default none. */
  readonly postgres?: readonly PostgresMapping[];
  /** Tables of BigQuery. Default none. */
  readonly bigquery?: readonly BigQueryMapping[];
  /** Ids of Looker Studio's data sources → the tables that they show. Default none. */
  readonly studio?: Readonly<Record<string, readonly string[]>>;
  /** Looker instances. Default none. */
  readonly looker?: readonly LookerInstance[];
  /** Most memory of the embedded engine. Default 1GB; what does not fit is spilled to the data folder. */
  readonly memory: string;
  /** Folder for spilled data. */
  readonly spillDir: string;
}
