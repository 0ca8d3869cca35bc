import type { JsonValue } from "#base";

/** A column of a table or of a result. `type` is the engine's own name for it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}

/** A table as a model is told of it. */
export interface TableSchema {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** Bounds of one query; a query that would pass one is ended with RESOURCE_EXHAUSTED naming it. */
export interface QueryLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** What a query would cost before it runs. */
export interface QueryCost {
  readonly bytesScanned: number;
}

/** Rows of a query: values as JSON, int64 and decimals as strings. */
export interface ResultSet {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly JsonValue[])[];
  /** Whether `maxRows` cut the result. */
  readonly truncated: boolean;
}

/** One database that questions can be asked of. All queries are read-only; an engine refuses anything else. */
export interface DataSource {
  describe(tables: readonly string[]): Promise<readonly TableSchema[]>;
  estimate(sql: string): Promise<QueryCost>;
  query(sql: string, limits: QueryLimits, signal: AbortSignal): Promise<ResultSet>;
  close(): Promise<void>;
}
