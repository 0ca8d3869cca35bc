import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import type { JsonValue } from "#base";

/** Where a table is: its parts outermost first, e.g. project, dataset, table. Parts are as stored, without quotes. */
export type TablePath = readonly string[];

/** A column of a table or of a result. */
export interface Column {
  readonly name: string;
  /** Name in GoogleSQL: STRING, INT64, FLOAT64, NUMERIC, BIGNUMERIC, BOOL, DATE, DATETIME, TIMESTAMP, TIME, BYTES, JSON, GEOGRAPHY, STRUCT. */
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

/** A table as whoever writes SQL is told of it. */
export interface TableSchema {
  readonly path: TablePath;
  readonly description?: string;
  readonly columns: readonly Column[];
  readonly primaryKey?: readonly string[];
  readonly foreignKeys?: readonly ForeignKey[];
  /** Rows, when the engine knows without counting. */
  readonly rowCount?: number;
}

/** A value bound to `@name`; the text is read as `type`. */
export interface QueryParameter {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** Bounds of one query. */
export interface QueryLimits {
  /** Rows kept; more set `truncated`. */
  readonly maxRows: number;
  /** Bytes of the rows as JSON kept; more set `truncated`. */
  readonly maxBytes: number;
  /** Milliseconds until the query is cancelled in the engine. */
  readonly timeoutMs: number;
  /** Bytes the engine may read (BigQuery: billed bytes). Default no limit. */
  readonly maxScannedBytes?: number;
}

export interface QueryRequest {
  readonly sql: string;
  /** An author wrote it, maybe for BigQuery: a source of another dialect translates it, or refuses it naming the construct. */
  readonly authored?: boolean;
  readonly parameters?: readonly QueryParameter[];
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
}

/** What the gate and the engine's own planner say of a statement before it runs. */
export type QueryCheck =
  | {
      readonly kind: "accepted";
      readonly columns: readonly Column[];
      readonly tables: readonly TablePath[];
      /** Bytes that would be read, when the engine can say. */
      readonly scannedBytes?: number;
    }
  /** Not a question: it would write, leave its tables, or reach a file or network. `construct` is the part at fault. */
  | { readonly kind: "refused"; readonly construct: string; readonly reason: string }
  /** Does not parse or bind; the engine's own words, made for whoever repairs it. */
  | { readonly kind: "invalid"; readonly error: string };

/** Where an engine keeps the result of a query. */
export interface QueryJob {
  readonly project: string;
  readonly jobId: string;
  readonly location: string;
  readonly destination?: TablePath;
}

/** Rows of a query. */
export interface ResultSet {
  readonly columns: readonly Column[];
  /** One array a row. Scalars are strings as CA-18 says, NULL is null, lists and structs keep their form. */
  readonly rows: readonly (readonly JsonValue[])[];
  /** Whether a limit cut the rows; then more exist. */
  readonly truncated: boolean;
  readonly job?: QueryJob;
  /** Time of the engine alone, milliseconds. */
  readonly durationMs: number;
}

/** Why a query gave no rows. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  /** "permission" is never repaired; "invalid" and "failed" may be, by another statement. */
  readonly kind: "refused" | "invalid" | "failed" | "timeout" | "cancelled" | "permission" | "too-expensive";

  constructor(kind: QueryError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** SQL that a source reads. "duckdb" also reads authored GoogleSQL: what its dialect table knows is rewritten, the rest is refused by name. */
export type SqlDialect = "duckdb" | "googlesql" | "postgresql" | "mysql";

/** One database, narrowed to the tables that a context refers to. Everything is read-only. */
export interface SqlSource {
  readonly kind: "sql";
  readonly dialect: SqlDialect;
  /** The tables in scope, in the order of the references; all tables where none is named. */
  describe(signal: AbortSignal): Promise<readonly TableSchema[]>;
  /**
   * The different values of a column, most frequent first, at most `limit`; undefined when there are more than that, or when reading
   * them would bill more than `maxScannedBytes` (BigQuery; default 100 MB).
   */
  distinctValues(
    table: TablePath,
    column: string,
    limit: number,
    signal: AbortSignal,
    maxScannedBytes?: number,
  ): Promise<readonly string[] | undefined>;
  /** A table's name as it is written in this source's SQL, quoted. */
  quoteTable(path: TablePath): string;
  /** A column's or alias's name as it is written in this source's SQL, quoted when needed. */
  quoteName(name: string): string;
  /** Never rejects for what the statement says. */
  check(sql: string, parameters: readonly QueryParameter[], signal: AbortSignal): Promise<QueryCheck>;
  /** Gate, then run; rejects with `QueryError`. An aborted signal cancels the query in the engine. */
  query(request: QueryRequest): Promise<ResultSet>;
}

/** A dimension or measure of an explore. */
export interface ExploreField {
  /** `view.field`. */
  readonly name: string;
  /** As people see it, without the view's label. */
  readonly label: string;
  /** Label of the view that the field is of. */
  readonly viewLabel: string;
  readonly category: "DIMENSION" | "MEASURE";
  /** Name in GoogleSQL, as a column of a result has it. */
  readonly type: string;
  /** Looker's own type, e.g. `date_month`, `yesno`, `count_distinct`. */
  readonly lookerType: string;
  readonly description: string;
  /** How Looker writes its values, e.g. `$#,##0.00`; "" for plain. */
  readonly valueFormat: string;
  /** Values that the model's author listed; empty when unknown. */
  readonly values: readonly string[];
  /** Other words and categories that a context gives it. Default none; the instance has none. */
  readonly synonyms?: readonly string[];
  readonly tags?: readonly string[];
}

/** What may be asked of one explore. Hidden fields are left out. */
export interface Explore {
  readonly instanceUri: string;
  readonly model: string;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly ExploreField[];
  /** Other words and categories that a context gives it. Default none; the instance has none. */
  readonly synonyms?: readonly string[];
  readonly tags?: readonly string[];
  /** Filters that every query of the explore has, with the value they have when a query says none. */
  readonly alwaysFilters: readonly { readonly field: string; readonly value: string }[];
}

/** Rows of a Looker query; `formatted` has the same rows as Looker writes them, where some field has a format. */
export interface LookerResult extends ResultSet {
  readonly formatted?: readonly (readonly JsonValue[])[];
}

/** Explores of a Looker instance: questions become Looker queries, and Looker writes the SQL. */
export interface LookerSource {
  readonly kind: "looker";
  /** The explores in the order of the references. Throws the refusal that the instance's own answer stands for. */
  describe(signal: AbortSignal): Promise<readonly Explore[]>;
  /** The query kept by the instance, with its id and the slug of its links. Rejects with `QueryError`. */
  save(query: LookerQuery, signal: AbortSignal): Promise<LookerQuery>;
  /** At most 5,000 rows. Rejects with `QueryError`. `fields`: what is known of the query's columns. */
  query(
    query: LookerQuery,
    fields: readonly ExploreField[],
    limits: QueryLimits,
    signal: AbortSignal,
  ): Promise<LookerResult>;
}

export type DataSource = SqlSource | LookerSource;

/** Every database that the operator opened, found by the references that clients send. */
export interface Warehouse {
  /**
   * The source behind references. Throws INVALID_ARGUMENT where they are empty or mixed, FAILED_PRECONDITION naming the table
   * that is mapped to nothing and the setting that would map it, UNIMPLEMENTED for kinds that no engine serves.
   * `viewParameters`: what parameterized secure views read of the caller; FAILED_PRECONDITION where the engine has no such views,
   * since they narrow what may be seen. UNAVAILABLE when a database does not answer.
   */
  open(
    references: DatasourceReferences,
    credentials?: Credentials,
    viewParameters?: Readonly<Record<string, string>>,
  ): Promise<DataSource>;
  close(): Promise<void>;
}
