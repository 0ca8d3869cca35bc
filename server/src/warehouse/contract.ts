import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import type { JsonValue } from "#base";
import type { DatabaseAddress } from "./connections/database-address.ts";
import type { TableConversions } from "./uploads/upload-folder.ts";

/** The name of a table, outermost part first, e.g. project, dataset, table. Parts are as stored, without quotes. */
export type TablePath = readonly string[];

/** A column of a table or of a result set. */
export interface Column {
  readonly name: string;
  /** GoogleSQL type: STRING, INT64, FLOAT64, NUMERIC, BIGNUMERIC, BOOL, DATE, DATETIME, TIMESTAMP, TIME, BYTES, JSON, GEOGRAPHY, STRUCT. */
  readonly type: string;
  readonly mode: "NULLABLE" | "REQUIRED" | "REPEATED";
  readonly description?: string;
  /** Columns of a STRUCT. */
  readonly fields?: readonly Column[];
}

/** Columns that refer to the key of another table. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: TablePath;
  readonly referencedColumns: readonly string[];
}

/** Schema of a table, for writing SQL. */
export interface TableSchema {
  readonly path: TablePath;
  readonly description?: string;
  readonly columns: readonly Column[];
  readonly primaryKey?: readonly string[];
  readonly foreignKeys?: readonly ForeignKey[];
  /** Number of rows, where the engine knows it without counting. */
  readonly rowCount?: number;
  /** Of a view, the last names of the tables that it reads, in lower case; other names that its text has may be among them. */
  readonly reads?: readonly string[];
  /** Differs when the rows may have changed; absent where the engine cannot tell. */
  readonly version?: string;
}

/** A value bound to `@name`; the text is cast to `type`. */
export interface QueryParameter {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** Limits of one query. */
export interface QueryLimits {
  /** Maximum rows of the result set; with more, `truncated` is set. */
  readonly maxRows: number;
  /** Maximum bytes of the rows as JSON; with more, `truncated` is set. */
  readonly maxBytes: number;
  /** Milliseconds until the query is cancelled in the engine. */
  readonly timeoutMs: number;
  /** Maximum bytes that the engine may scan (BigQuery: billed bytes). Default no limit. */
  readonly maxScannedBytes?: number;
}

/**
 * What the name of a table stands for where rules let a caller see a part of it only (CA-49): the check puts the SELECT in the place of the name, so that nothing else
 * of the table can be named.
 */
export interface TableView {
  readonly path: TablePath;
  /** A SELECT over the table, in the dialect of the source; absent: the table does not exist for the caller. */
  readonly select?: string;
}

/** One SELECT and what bounds it. The statement check sees it before the engine does. */
export interface QueryRequest {
  readonly sql: string;
  /** Tables of which the caller sees a part. Default none. */
  readonly views?: readonly TableView[];
  /** Whether an agent author wrote it, possibly in GoogleSQL: a source of another dialect translates it, or rejects it and names the construct. */
  readonly authored?: boolean;
  readonly parameters?: readonly QueryParameter[];
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
}

/** The result of the statement check and of the engine's dry run, before a statement runs. */
export type QueryCheck =
  | {
      readonly kind: "accepted";
      readonly columns: readonly Column[];
      readonly tables: readonly TablePath[];
      /** Bytes that the query would scan, where the engine can estimate it. */
      readonly scannedBytes?: number;
    }
  /** Not allowed: it would write, read other tables, or reach files or the network. `construct` names the part. */
  | { readonly kind: "rejected"; readonly construct: string; readonly reason: string }
  /** Does not parse or bind; the error of the engine, for repairing the statement. */
  | { readonly kind: "invalid"; readonly error: string };

/** How an engine would run a statement. */
export interface QueryPlan {
  /** A line a step; "" where it only tells what it reads. */
  readonly plan: string;
  /** Bytes that it would read, where the engine can tell. */
  readonly scannedBytes?: number;
}

/** The BigQuery job of a query, and the table of its result. */
export interface QueryJob {
  readonly project: string;
  readonly jobId: string;
  readonly location: string;
  readonly destination?: TablePath;
}

/** The rows of a query. */
export interface ResultSet {
  readonly columns: readonly Column[];
  /** One array a row. Scalars are strings (CA-18), NULL is null, lists and structs are JSON. */
  readonly rows: readonly (readonly JsonValue[])[];
  /** Whether a limit cut the rows off, so that more exist. */
  readonly truncated: boolean;
  readonly job?: QueryJob;
  /** When the rows were read, in milliseconds since the epoch, where they were kept since. */
  readonly cachedAt?: number;
  /** Time of the engine alone, in milliseconds. */
  readonly durationMs: number;
}

/** A query that failed. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  /** Another statement may succeed after "invalid" and "failed", never after "permission". */
  readonly kind: "rejected" | "invalid" | "failed" | "timeout" | "cancelled" | "permission" | "too-expensive";

  constructor(kind: QueryError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The error of a query whose caller went away. */
export function cancelled(cause?: unknown): QueryError {
  return new QueryError("cancelled", "The query was cancelled.", cause);
}

/** The error of a query that took too long. */
export function timedOut({ timeoutMs }: Pick<QueryLimits, "timeoutMs">, cause?: unknown): QueryError {
  return new QueryError("timeout", `The query took longer than ${timeoutMs / 1000} s.`, cause);
}

/** The error of a result whose first row is over the limit: without a row the answer would be "nothing found". */
export function rowTooLarge(maxBytes: number): QueryError {
  return new QueryError("failed", `One row has more than ${maxBytes} bytes; select fewer or shorter columns.`);
}

/** SQL dialect of a source. "duckdb" also accepts authored GoogleSQL: known constructs are translated, others are rejected by name. */
export type SqlDialect =
  | "duckdb"
  | "googlesql"
  | "postgresql"
  | "mysql"
  | "clickhouse"
  | "trino"
  | "redshift"
  | "snowflake"
  | "databricks"
  | "sqlserver";

/** One database, limited to the tables that a context refers to. Everything is read-only. */
export interface SqlSource {
  readonly kind: "sql";
  readonly dialect: SqlDialect;
  /** The tables in scope, in the order of the references; all tables where none is named. */
  describe(signal: AbortSignal): Promise<readonly TableSchema[]>;
  /**
   * The distinct values of a column, most frequent first; undefined where there are more than `limit`, or where reading them would
   * bill more than `maxScannedBytes` (BigQuery; default 100 MB).
   */
  distinctValues(
    table: TablePath,
    column: string,
    limit: number,
    signal: AbortSignal,
    maxScannedBytes?: number,
  ): Promise<readonly string[] | undefined>;
  /** A table name in this source's dialect, quoted. */
  quoteTable(path: TablePath): string;
  /** A column name or alias in this source's dialect, quoted. */
  quoteName(name: string): string;
  /** A text literal in this source's dialect. */
  quoteText(text: string): string;
  /** What the caller may see, as a key: absent where no rules were applied, so that everybody sees the same. */
  readonly viewer?: string;
  /** The same of one table; "" where the caller sees all of it. */
  viewerOf?(path: TablePath): string;
  /** Checks a statement without running it. Does not reject because of the statement. `views`: as of a request. */
  check(
    sql: string,
    parameters: readonly QueryParameter[],
    signal: AbortSignal,
    views?: readonly TableView[],
  ): Promise<QueryCheck>;
  /** How the engine would run a statement; rejects with `QueryError` like `query`. */
  explain(request: QueryRequest): Promise<QueryPlan>;
  /** Checks a statement and runs it; rejects with `QueryError`. An aborted signal cancels the query in the engine. */
  query(request: QueryRequest): Promise<ResultSet>;
}

/** A dimension or measure of an explore. */
export interface ExploreField {
  /** `view.field`. */
  readonly name: string;
  /** Label in Looker, without the label of the view. */
  readonly label: string;
  /** Label of the view that has the field. */
  readonly viewLabel: string;
  readonly category: "DIMENSION" | "MEASURE";
  /** GoogleSQL type, as of a column of a result set. */
  readonly type: string;
  /** Looker type, e.g. `date_month`, `yesno`, `count_distinct`. */
  readonly lookerType: string;
  readonly description: string;
  /** Format of its values, e.g. `$#,##0.00`; "" for none. */
  readonly valueFormat: string;
  /** Values that the LookML lists; empty when unknown. */
  readonly values: readonly string[];
  /** Synonyms and tags of the context. Default none; Looker has none. */
  readonly synonyms?: readonly string[];
  readonly tags?: readonly string[];
}

/** One explore and its fields. Hidden fields are left out. */
export interface Explore {
  readonly instanceUri: string;
  readonly model: string;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly ExploreField[];
  /** Synonyms and tags of the context. Default none; Looker has none. */
  readonly synonyms?: readonly string[];
  readonly tags?: readonly string[];
  /** Filters that every query of the explore has, with their default values. */
  readonly alwaysFilters: readonly { readonly field: string; readonly value: string }[];
}

/** Rows of a Looker query; `formatted` has the same rows with the formats of their fields, where a field has one. */
export interface LookerResult extends ResultSet {
  readonly formatted?: readonly (readonly JsonValue[])[];
}

/** Explores of one Looker instance. Questions become Looker queries; Looker writes the SQL. */
export interface LookerSource {
  readonly kind: "looker";
  /** The explores in the order of the references. Rejects with the status error that corresponds to Looker's response. */
  describe(signal: AbortSignal): Promise<readonly Explore[]>;
  /** Stores the query in Looker and returns it with its id and slug. Rejects with `QueryError`. */
  save(query: LookerQuery, signal: AbortSignal): Promise<LookerQuery>;
  /** Runs a query, at most 5,000 rows. Rejects with `QueryError`. `fields`: the fields of the explore. */
  query(
    query: LookerQuery,
    fields: readonly ExploreField[],
    limits: QueryLimits,
    signal: AbortSignal,
  ): Promise<LookerResult>;
}

/** What a context refers to: tables of one SQL engine, or explores of one Looker instance. */
export type DataSource = SqlSource | LookerSource;

/** A database of the configuration that does not answer, by the name that it is mapped to, and why. */
export interface UnreachableSource {
  readonly source: string;
  /** Has no secret. */
  readonly message: string;
}

/** The names of tables, and what could not be asked for its own. */
export interface ListedTables {
  readonly tables: readonly TablePath[];
  readonly unreachable: readonly UnreachableSource[];
}

/** All configured data sources, found by the references that clients send. */
export interface Warehouse {
  /**
   * The source of references. Throws INVALID_ARGUMENT where they are empty or of several sources, FAILED_PRECONDITION naming the
   * table that is not mapped and the setting that maps it, UNIMPLEMENTED for kinds that no engine serves, UNAVAILABLE when a
   * database does not answer. `viewParameters`: parameters of secure views; FAILED_PRECONDITION where the engine has no such views.
   */
  open(
    references: DatasourceReferences,
    credentials?: Credentials,
    viewParameters?: Readonly<Record<string, string>>,
  ): Promise<DataSource>;
  /**
   * All mapped tables, in the order of their names, and the databases that cannot be asked for theirs. `anyProject`: the project of those that are mapped under any. Columns
   * are read of a source.
   */
  tables(anyProject: string): Promise<ListedTables>;
  /** The database that has a table, as a key; undefined where no mapping names it. Nothing is opened. */
  databaseOf(path: TablePath): string | undefined;
  /** Absent where no folder for uploads is configured. */
  readonly uploads?: Uploads;
  /** Absent where there is no gate for outbound requests. */
  readonly connections?: Connections;
  close(): Promise<void>;
}

/**
 * Files that were uploaded, each the tables of a dataset `upload_…`, under the name of any project: who may read which one is decided by the
 * caller, before `open`.
 */
export interface Uploads {
  has(dataset: string): boolean;
  /** Writes a file, whose name decides its format. `conversions`: how columns are read, by table and column. */
  write(dataset: string, file: string, bytes: Uint8Array, conversions: TableConversions): void;
  /** Changes how columns are read. */
  convert(dataset: string, conversions: TableConversions): void;
  /** The tables of a file, as paths below a project. */
  tables(project: string, dataset: string): Promise<readonly TablePath[]>;
  /** Removes the file, and all that engines have read of it. */
  remove(dataset: string): Promise<void>;
}

/** How a connected database is reached. */
interface ConnectedState {
  /** Schema that the dataset shows; "": that of the engine, or of the login. */
  readonly schema: string;
  /** Read for each connection, so that secrets are in memory no longer than that. */
  readonly address: () => DatabaseAddress;
}

/**
 * Databases that people connected, each the tables of a dataset `connection_…` of its project: who may read which one is decided by the caller, before `open`.
 */
export interface Connections {
  /** Hosts that may be connected to, as the operator lists them. */
  readonly hosts: readonly string[];
  has(dataset: string): boolean;
  /** Maps a dataset to a database. Another `version` closes the connections of the last one; engine, place and schema stay. */
  put(
    path: readonly [project: string, dataset: string],
    state: ConnectedState & { readonly version: string },
  ): Promise<void>;
  /** The tables that a dataset shows. Rejects with `QueryError`. */
  tables(dataset: string): Promise<readonly TablePath[]>;
  /** Connects and counts the tables that would be shown; keeps nothing. Rejects with `QueryError`. */
  probe(state: ConnectedState): Promise<number>;
  /** Closes its connections and forgets it. */
  remove(dataset: string): Promise<void>;
}
