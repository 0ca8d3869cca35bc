import { basename, extname } from "node:path";
import { fileFingerprint, listFiles } from "./files.ts";

/** A file that is a table. */
export interface FileTable {
  /** The file name without its extension. */
  readonly name: string;
  readonly file: string;
  /** How DuckDB reads it. */
  readonly reader: Reader;
  /** Changes when the file changes. */
  readonly fingerprint: string;
}

/** Imported formats are read into memory, and again when the file changes; Parquet files are read in place. */
interface Reader {
  readonly function: string;
  readonly imported: boolean;
  /** Whether the bytes are a text, in some encoding. */
  readonly isText: boolean;
}

const READERS: Readonly<Record<string, Reader>> = {
  ".parquet": { function: "read_parquet", imported: false, isText: false },
  ".csv": { function: "read_csv", imported: true, isText: true },
  ".tsv": { function: "read_csv", imported: true, isText: true },
  ".json": { function: "read_json", imported: true, isText: true },
  ".jsonl": { function: "read_json", imported: true, isText: true },
  ".ndjson": { function: "read_json", imported: true, isText: true },
};

/** Extensions of DuckDB database files. */
const DATABASES = new Set([".duckdb", ".db", ".ddb"]);

/** Whether a path is a database and not a table. */
export function isDatabase(path: string): boolean {
  return DATABASES.has(extname(path).toLowerCase());
}

/** The tables of a folder, or the one table of a file; files of other formats are left out. */
export function fileTables(path: string): readonly FileTable[] {
  return listFiles(path).flatMap((file) => fileTable(file) ?? []);
}

function fileTable(file: string): FileTable | undefined {
  const extension = extname(file);
  const reader = READERS[extension.toLowerCase()];
  if (!reader) return undefined;
  return {
    name: basename(file, extension),
    file,
    reader,
    // A getter, because a folder may have thousands of files and few are requested.
    get fingerprint() {
      return fileFingerprint(file);
    },
  };
}
