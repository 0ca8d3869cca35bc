/** A value as a file holds it. Dates are ISO texts. */
export type Cell = null | boolean | bigint | number | string | Uint8Array;

export interface FileColumn {
  readonly name: string;
  /** Type that the file declares, where it declares one. */
  readonly declared?: string;
}

/** One table of a file that is open. */
export interface RowSource {
  readonly columns: readonly FileColumn[];
  /** All rows, the same at each call, one cell a column. */
  rows(): Iterable<readonly Cell[]>;
}

/** A kind of file that holds several tables. Both functions reject with `TableFileFault` where the file is at fault. */
export interface TableFile {
  names(file: string): Promise<readonly string[]>;
  /** The table is there until the work is done. */
  read<Result>(file: string, table: string, work: (source: RowSource) => Promise<Result>): Promise<Result>;
}

/** What is wrong with a file, as the end of "the file x cannot be read: …". */
export class TableFileFault extends Error {
  override readonly name = "TableFileFault";
}
