import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Clock } from "#base";
import { openWriteConnection } from "../sqlite/connections.ts";
import { lockFolder, syncFolder } from "../sqlite/data-folder.ts";
import { migrate } from "../sqlite/migrations.ts";
import { toStorageError } from "../sqlite/to-storage-error.ts";
import type { MovedTable, Row, Side, Value } from "./contract.ts";
import { UNFINISHED_MOVE } from "./unfinished-move.ts";

/** A data folder as an end of a move; locked until it is closed. */
export function openFolderSide(dataDir: string, clock: Clock): Side {
  const folder = resolve(dataDir);
  const path = join(folder, "frontdesk.db");
  try {
    const lock = lockFolder(folder, clock);
    const database = openWriteConnection(path);
    migrate(database, path, clock);
    return createSide(folder, database, () => lock.release());
  } catch (error) {
    throw toStorageError(error, folder);
  }
}

function createSide(folder: string, database: DatabaseSync, release: () => void): Side {
  const files = { blobs: new FileTable(join(folder, "blobs"), ""), server_keys: new FileTable(folder, ".key") };
  const filesOf = ({ name }: MovedTable) => (name in files ? files[name as keyof typeof files] : undefined);
  const mark = join(folder, UNFINISHED_MOVE);
  const rows = (sql: string, values: Row): Row[] => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...(values as SQLInputValue[])) as unknown as Row[];
  };
  return {
    place: folder,
    read: async (table, after, limit) => {
      const inFiles = filesOf(table);
      if (inFiles) return inFiles.read(after, limit);
      const keys = table.columns.slice(0, table.keys).join(", ");
      const where = after ? `where (${keys}) > (${after.map(() => "?").join(", ")})` : "";
      return rows(
        `select ${table.columns.join(", ")} from ${table.name} ${where} order by ${keys} limit ${limit}`,
        after ?? [],
      );
    },
    lastKey: async (table) => {
      const inFiles = filesOf(table);
      if (inFiles) return inFiles.lastKey();
      const keys = table.columns.slice(0, table.keys);
      const order = keys.map((key) => `${key} desc`).join(", ");
      return rows(`select ${keys.join(", ")} from ${table.name} order by ${order} limit 1`, [])[0];
    },
    write: async (table, added) => {
      const inFiles = filesOf(table);
      if (inFiles) return inFiles.write(added);
      const places = table.columns.map(() => "?").join(", ");
      const insert = database.prepare(`insert into ${table.name} (${table.columns.join(", ")}) values (${places})`);
      database.exec("begin");
      for (const row of added) insert.run(...(row as SQLInputValue[]));
      database.exec("commit");
    },
    unfinished: async () => (existsSync(mark) ? readFileSync(mark, "utf8") : undefined),
    mark: async (source) => {
      if (source === undefined) rmSync(mark, { force: true });
      else writeFileSync(mark, source, { mode: 0o600 });
      syncFolder(folder);
    },
    close: async () => {
      database.close();
      release();
    },
  };
}

/** Files of a folder as rows of name and content. */
class FileTable {
  readonly #folder: string;
  readonly #ending: string;
  /** The names in order, as long as nothing is written: the folder is locked, and may have a hundred thousand. */
  #known: readonly string[] | undefined;

  constructor(folder: string, ending: string) {
    this.#folder = folder;
    this.#ending = ending;
  }

  read(after: Row | undefined, limit: number): readonly Row[] {
    const [last = ""] = after ?? [];
    const names = this.#names();
    const from = firstAfter(names, String(last));
    return names
      .slice(from, from + limit)
      .map((name): readonly Value[] => [name, new Uint8Array(readFileSync(this.#path(name)))]);
  }

  lastKey(): Row | undefined {
    const last = this.#names().at(-1);
    return last === undefined ? undefined : [last];
  }

  write(rows: readonly Row[]): void {
    this.#known = undefined;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const [name, content] of rows)
      writeFileSync(this.#path(String(name)), content as Uint8Array, { mode: 0o600, flush: true });
    syncFolder(this.#folder);
  }

  /** The key that seals others stays where it is. */
  #names(): readonly string[] {
    this.#known ??= this.#listed();
    return this.#known;
  }

  #listed(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files
      .filter(({ name }) => name.endsWith(this.#ending))
      .map(({ name }) => basename(name, this.#ending));
    return names.filter((name) => this.#ending === "" || name !== "sealing").toSorted();
  }

  #path(name: string): string {
    return join(this.#folder, `${name}${this.#ending}`);
  }
}

/** Where the first name is that comes after another one, in names in order. */
function firstAfter(names: readonly string[], last: string): number {
  let [from, to] = [0, names.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((names[middle] ?? "") > last) to = middle;
    else from = middle + 1;
  }
  return from;
}
