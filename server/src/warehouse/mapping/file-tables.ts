import { basename, extname } from "node:path";
import { filesAt, stampOf } from "./files-at.ts";

/** A file that is a table. */
export interface FileTable {
  /** Name of the table: the file's name without its ending. */
  readonly name: string;
  readonly file: string;
  /** How the engine reads it. */
  readonly reader: Reader;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** "copied" formats are read once into memory and again when the file changes; Parquet is read where it lies. */
export interface Reader {
  readonly function: string;
  readonly copied: boolean;
}

const READERS: Readonly<Record<string, Reader>> = {
  ".parquet": { function: "read_parquet", copied: false },
  ".csv": { function: "read_csv", copied: true },
  ".tsv": { function: "read_csv", copied: true },
  ".json": { function: "read_json", copied: true },
  ".jsonl": { function: "read_json", copied: true },
  ".ndjson": { function: "read_json", copied: true },
};

/** The endings of DuckDB's own database files. */
const DATABASES = new Set([".duckdb", ".db", ".ddb"]);

/** Whether a path is a database rather than a table. */
export function isDatabase(path: string): boolean {
  return DATABASES.has(extname(path).toLowerCase());
}

/** The tables of a folder, or the one table of a file; files of other kinds are left out. */
export function fileTables(path: string): readonly FileTable[] {
  return filesAt(path).flatMap((file) => fileTable(file) ?? []);
}

function fileTable(file: string): FileTable | undefined {
  const ending = extname(file);
  const reader = READERS[ending.toLowerCase()];
  if (!reader) return undefined;
  return {
    name: basename(file, ending),
    file,
    reader,
    // Read for the tables that are asked for: a folder may have thousands.
    get stamp() {
      return stampOf(file);
    },
  };
}
