import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { failedPrecondition } from "#status";
import { fileFingerprint, listFiles } from "../mapping/files.ts";
import { type RowSource, type TableFile, TableFileError } from "./table-file.ts";

/** A table inside a file, which can be imported. */
export interface ImportedTable {
  readonly name: string;
  readonly file: string;
  /** Its name in the file. */
  readonly inside: string;
  readonly fingerprint: string;
  /** Rejects with FAILED_PRECONDITION naming the file where it cannot be read. */
  read<Result>(work: (source: RowSource) => Promise<Result>): Promise<Result>;
}

/** The tables of a path, and the errors of files whose tables cannot be listed. */
interface ImportedTables {
  readonly tables: readonly ImportedTable[];
  readonly errors: readonly Error[];
}

type Kind = "sqlite" | "xlsx";

/** Creates the function that lists tables in SQLite databases and Excel workbooks. Names are cached until a file changes. */
export function createImportedTables(): (path: string, requested?: string) => Promise<ImportedTables> {
  const known = new Map<string, { readonly fingerprint: string; readonly names: readonly string[] }>();
  async function namesIn(file: string, kind: Kind): Promise<readonly string[]> {
    const fingerprint = fileFingerprint(file);
    const before = known.get(file);
    if (before?.fingerprint === fingerprint) return before.names;
    const names = await withFileErrors(file, async () => (await loadFormat(kind)).names(file));
    known.set(file, { fingerprint, names });
    return names;
  }
  return async (path, requested) => {
    const [tables, errors]: [ImportedTable[], Error[]] = [[], []];
    for (const file of listFiles(path)) {
      const kind = kindOf(file);
      if (!kind) continue;
      try {
        const names = await namesIn(file, kind);
        const alone = statSync(path).isFile();
        for (const name of selectTables(names, requested))
          tables.push(toTable(file, kind, name, alone ? name : nameInFolder(file, name, names)));
      } catch (error) {
        errors.push(error as Error);
      }
    }
    return { tables, errors };
  };
}

/** Where the mapping names a table: the table of that name, else the only one. */
function selectTables(names: readonly string[], requested: string | undefined): readonly string[] {
  if (requested === undefined || names.length === 1) return names;
  return names.filter((name) => name === requested);
}

/** In a folder, the name of a table begins with the name of its file. */
function nameInFolder(file: string, name: string, names: readonly string[]): string {
  const own = basename(file, extname(file));
  return names.length === 1 ? own : `${own}_${name}`;
}

function toTable(file: string, kind: Kind, inside: string, name: string): ImportedTable {
  return {
    name,
    file,
    inside,
    fingerprint: fileFingerprint(file),
    read: (work) => withFileErrors(file, async () => (await loadFormat(kind)).read(file, inside, work)),
  };
}

/** Loaded when the first file of the format is read. */
async function loadFormat(kind: Kind): Promise<TableFile> {
  return kind === "sqlite"
    ? (await import("./sqlite-file.ts")).sqliteFile
    : (await import("./xlsx/xlsx-file.ts")).xlsxFile;
}

async function withFileErrors<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TableFileError)) throw error;
    throw failedPrecondition(`The file ${basename(file)} cannot be read as tables: ${error.message}.`, {
      reason: "TABLE_FILE_UNREADABLE",
      metadata: { file: basename(file) },
    });
  }
}

function kindOf(file: string): Kind | undefined {
  // Excel creates a lock file named ~$… beside a workbook that is open.
  if (extname(file).toLowerCase() === ".xlsx") return basename(file).startsWith("~$") ? undefined : "xlsx";
  return isSqlite(file) ? "sqlite" : undefined;
}

const MAGIC = "SQLite format 3\0";

/** Whether a path is a SQLite database: by its extension, or `.db` with the magic bytes of SQLite. */
export function isSqlite(path: string): boolean {
  const extension = extname(path).toLowerCase();
  if (extension === ".sqlite" || extension === ".sqlite3") return true;
  if (extension !== ".db" || !statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(MAGIC.length);
    readSync(file, start);
    return start.toString("latin1") === MAGIC;
  } finally {
    closeSync(file);
  }
}
