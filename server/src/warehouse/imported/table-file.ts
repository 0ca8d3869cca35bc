/** A value of a file. Dates are ISO strings. */
export type Cell = null | boolean | bigint | number | string | Uint8Array;

export interface FileColumn {
  readonly name: string;
  /** The type that the file declares, where it declares one. */
  readonly declared?: string;
}

/** What a file declares of the keys of a table; tables and columns by their names in the file. */
export interface FileKeys {
  readonly primaryKey?: readonly string[];
  readonly foreignKeys: readonly {
    readonly columns: readonly string[];
    readonly table: string;
    readonly referencedColumns: readonly string[];
  }[];
}

/** One table of an open file. */
export interface RowSource {
  readonly columns: readonly FileColumn[];
  /** Absent where the format declares none. */
  readonly keys?: FileKeys;
  /** What people should know of how the table was read. */
  readonly note?: string;
  /** All rows, the same at each call, with one cell a column. */
  rows(): Iterable<readonly Cell[]>;
}

/** A file format that has several tables. Both functions reject with `TableFileError` where the file is not readable. */
export interface TableFile {
  names(file: string): Promise<readonly string[]>;
  /** Opens one table for the duration of the work. */
  read<Result>(file: string, table: string, work: (source: RowSource) => Promise<Result>): Promise<Result>;
}

/** A file that cannot be read; the message completes "The file x cannot be read as tables: …". */
export class TableFileError extends Error {
  override readonly name = "TableFileError";
}
