import type { TablePath } from "../contract.ts";
import type { CopiedTable } from "../copied/copied-tables.ts";
import type { FileTable } from "../mapping/file-tables.ts";
import type { SourceMapping } from "../mapping/warehouse-config.ts";

/** A table in reach: by the name of the outside, and either a table of a database or a file. */
export interface Entry {
  readonly path: TablePath;
  readonly origin?: TablePath;
  readonly file?: FileTable | CopiedTable;
  /** The mapping that it is of. */
  readonly mapping: SourceMapping;
}
