import type { DatabaseGate } from "../connections/gate-contract.ts";

/** Maps a name that clients use to files or a DuckDB database of this machine. */
export interface SourceMapping {
  /** One to three parts: project, dataset, table. `*` as project: any. */
  readonly name: TablePattern;
  /** A folder whose files are tables, one file that is a table, or a DuckDB database. Absolute. */
  readonly path: string;
  /** Schema inside the database that the dataset shows. Default: the dataset's own name, else `main`. */
  readonly schema?: string;
  /** Where the file was uploaded, the folder of all uploads and its dataset. Default: it is the operator's. */
  readonly upload?: { readonly folder: string; readonly dataset: string };
}

/** Maps a name that clients use to a PostgreSQL database. */
export interface PostgresMapping {
  readonly name: TablePattern;
  /** `postgresql://…`, read for each connection; never stored, logged or shown. */
  readonly connectionString: () => string;
  /** Schema that the dataset shows. Default: the dataset's own name, else `public`. */
  readonly schema?: string;
  /** How it is reached that somebody connected. Default: the operator names it, and it is reached directly. */
  readonly gate?: DatabaseGate;
}

/** Engines that are reached by a wire of their own, with statements by `remote/`. */
export type RemoteEngineName = "mysql" | "clickhouse" | "trino" | "redshift" | "snowflake" | "databricks" | "sqlserver";

/** Maps a name that clients use to a database behind a wire. */
export interface RemoteMapping {
  readonly name: TablePattern;
  readonly engine: RemoteEngineName;
  /** A URL with address and login, read for each connection; never stored, logged or shown. */
  readonly connectionString: () => string;
  /** Schema that the dataset shows. Default: the dataset's own name, else that of the connection string. */
  readonly schema?: string;
  /** As of `PostgresMapping`. */
  readonly gate?: DatabaseGate;
}

/** What an engine opens of a mapping. */
export type OpenedMapping = Pick<RemoteMapping, "connectionString" | "gate">;

/** A database that is reached by connections of its own. */
export type DatabaseMapping = PostgresMapping | RemoteMapping;

/** A Looker instance whose explores may be queried. */
export interface LookerInstance {
  /** `https://acme.cloud.looker.com`, without a path; http only for a loopback address. */
  readonly origin: string;
  /** An API key for requests without credentials, read at each login. Default none: each request has its own. */
  readonly apiKey?: () => { readonly clientId: string; readonly clientSecret: string };
}

/** BigQuery tables under their own names. */
export interface BigQueryMapping {
  readonly name: TablePattern;
  /** One object for all mappings with the same access: their tables can be joined. */
  readonly access: BigQueryAccess;
}

/** Where and with which credentials BigQuery is called. */
export interface BigQueryAccess {
  /** The project that is billed for queries. Default: that of the first table. */
  readonly project?: string;
  /** Where jobs run, e.g. `EU`. Default: BigQuery derives it from the tables. */
  readonly location?: string;
  /** Base URL in place of Google's, without a slash at the end. */
  readonly endpoint?: string;
  /** Returns the bearer token of a call. */
  readonly accessToken: () => Promise<string>;
}

/** A name as clients write it, `*` as the project for any; the more parts, the more specific. */
export type TablePattern = readonly [project: string, dataset?: string, table?: string];

/** What tables may be asked for, by their names, and the limits of the embedded engine. */
export interface WarehouseConfig {
  readonly sources: readonly SourceMapping[];
  /** PostgreSQL databases. Default none. */
  readonly postgres?: readonly PostgresMapping[];
  /** Databases behind other wires. Default none. */
  readonly remote?: readonly RemoteMapping[];
  /** Tables of BigQuery. Default none. */
  readonly bigquery?: readonly BigQueryMapping[];
  /** Tables by the id of the Looker Studio data source that shows them. Default none. */
  readonly studio?: Readonly<Record<string, readonly string[]>>;
  /** Looker instances. Default none. */
  readonly looker?: readonly LookerInstance[];
  /** Maximum memory of DuckDB. Default 1GB; what does not fit is spilled to the data folder. */
  readonly memory: string;
  /** Folder for spilled data. */
  readonly spillDir: string;
  /** Folder of uploaded files. Default: none can be uploaded. */
  readonly uploadDir?: string;
  /** Hosts of databases that people may connect: `host`, `*.example.com` or `*`, with `:port` for one port alone. Default none. */
  readonly connectionHosts?: readonly string[];
}
