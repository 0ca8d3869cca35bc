import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { failedPrecondition } from "#status";
import { filesAt, stampOf } from "../mapping/files-at.ts";
import { type RowSource, type TableFile, TableFileFault } from "./table-file.ts";

/** A table inside a file, before it is copied. */
export interface CopiedTable {
  readonly name: string;
  readonly file: string;
  readonly stamp: string;
  /** Rejects with FAILED_PRECONDITION naming the file where it cannot be read. */
  read<Result>(work: (source: RowSource) => Promise<Result>): Promise<Result>;
}

/** What a path holds: tables, and the refusals of files that do not even tell theirs. */
export interface CopiedTables {
  readonly tables: readonly CopiedTable[];
  readonly refusals: readonly Error[];
}

type Kind = "sqlite" | "xlsx";

/** Finds tables in SQLite databases and Excel workbooks, and remembers their names until a file changes. */
export function createCopiedTables(): (path: string, wanted?: string) => Promise<CopiedTables> {
  const known = new Map<string, { readonly stamp: string; readonly names: readonly string[] }>();
  async function namesIn(file: string, kind: Kind): Promise<readonly string[]> {
    const stamp = stampOf(file);
    const before = known.get(file);
    if (before?.stamp === stamp) return before.names;
    const names = await refusing(file, async () => (await opener(kind)).names(file));
    known.set(file, { stamp, names });
    return names;
  }
  return async (path, wanted) => {
    const [tables, refusals]: [CopiedTable[], Error[]] = [[], []];
    for (const file of filesAt(path)) {
      const kind = kindOf(file);
      if (!kind) continue;
      try {
        const names = await namesIn(file, kind);
        const alone = statSync(path).isFile();
        for (const name of chosen(names, wanted))
          tables.push(toTable(file, kind, name, alone ? name : inFolder(file, name, names)));
      } catch (error) {
        refusals.push(error as Error);
      }
    }
    return { tables, refusals };
  };
}

/** A mapped table is the one of its name, else the only one. */
function chosen(names: readonly string[], wanted: string | undefined): readonly string[] {
  if (wanted === undefined || names.length === 1) return names;
  return names.filter((name) => name === wanted);
}

/** Among other files, a table also has the name of its file. */
function inFolder(file: string, name: string, names: readonly string[]): string {
  const own = basename(file, extname(file));
  return names.length === 1 ? own : `${own}_${name}`;
}

function toTable(file: string, kind: Kind, inside: string, name: string): CopiedTable {
  return {
    name,
    file,
    stamp: stampOf(file),
    read: (work) => refusing(file, async () => (await opener(kind)).read(file, inside, work)),
  };
}

/** Loaded when the first such file is asked for. */
async function opener(kind: Kind): Promise<TableFile> {
  return kind === "sqlite"
    ? (await import("./sqlite-file.ts")).sqliteFile
    : (await import("./xlsx/xlsx-file.ts")).xlsxFile;
}

async function refusing<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TableFileFault)) throw error;
    throw failedPrecondition(`The file ${basename(file)} cannot be read as tables: ${error.message}.`, {
      reason: "TABLE_FILE_UNREADABLE",
      metadata: { file: basename(file) },
    });
  }
}

function kindOf(file: string): Kind | undefined {
  // Excel keeps such a file beside a workbook that is open.
  if (extname(file).toLowerCase() === ".xlsx") return basename(file).startsWith("~$") ? undefined : "xlsx";
  return isSqlite(file) ? "sqlite" : undefined;
}

const MAGIC = "SQLite format 3\0";

/** Whether a path is a SQLite database: by its ending, or `.db` with SQLite's first bytes. */
export function isSqlite(path: string): boolean {
  const ending = extname(path).toLowerCase();
  if (ending === ".sqlite" || ending === ".sqlite3") return true;
  if (ending !== ".db" || !statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(MAGIC.length);
    readSync(file, start);
    return start.toString("latin1") === MAGIC;
  } finally {
    closeSync(file);
  }
}
