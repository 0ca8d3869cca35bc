import type { Logger } from "#base";
import { StorageError } from "../errors.ts";
import { type Connections, openConnections } from "../postgres/connections.ts";
import { migrate, runUntimed } from "../postgres/migrate.ts";
import { toSearchWords } from "../postgres/search-words.ts";
import { placeOf, toStorageError } from "../postgres/to-storage-error.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { MOVED_TABLES, type MovedTable, type Row, type Side, type Value } from "./contract.ts";
import { UNFINISHED_MOVE } from "./unfinished-move.ts";

/** A database as an end of a move. No server may use it meanwhile. */
export async function openDatabaseSide(database: DatabaseOptions, logger: Logger): Promise<Side> {
  const place = placeOf(database.url);
  const connections = openConnections(database, logger);
  try {
    await migrate(connections, { place, apply: true });
    const { rows } = await connections.query({
      sql: "select 1 from replicas where until > clock_timestamp()",
      parameters: [],
    });
    if (rows.length > 0)
      throw new StorageError(
        "LOCKED",
        `${rows.length === 1 ? "A server uses" : `${rows.length} servers use`} the database '${place}': stop ${rows.length === 1 ? "it" : "them"} first.`,
      );
    return createSide(connections, place);
  } catch (error) {
    await connections.close();
    throw toStorageError(error, place);
  }
}

function createSide(connections: Connections, place: string): Side {
  const run = async (sql: string, parameters: readonly unknown[] = []): Promise<readonly Record<string, Value>[]> => {
    try {
      return (await connections.query<Record<string, Value>>({ sql, parameters })).rows;
    } catch (error) {
      throw toStorageError(error, place);
    }
  };
  return {
    place,
    read: async (table, after, limit) => {
      const keys = keysOf(table).join(", ");
      const values = after ?? [];
      const where = after ? `where (${keys}) > (${values.map((_, at) => `$${at + 1}`).join(", ")})` : "";
      const condition =
        table.name === "server_keys" ? `${where ? `${where} and` : "where"} name <> '${UNFINISHED_MOVE}'` : where;
      const select = `select ${table.columns.join(", ")} from ${table.name} ${condition} order by ${keys} limit ${limit}`;
      return (await run(select, values)).map((row) => table.columns.map((column) => row[column] ?? null));
    },
    lastKey: async (table) => {
      const keys = keysOf(table);
      const order = keys.map((key) => `${key} desc`).join(", ");
      const condition = table.name === "server_keys" ? `where name <> '${UNFINISHED_MOVE}'` : "";
      const [row] = await run(`select ${keys.join(", ")} from ${table.name} ${condition} order by ${order} limit 1`);
      return row && keys.map((key) => row[key] ?? null);
    },
    write: async (table, rows) => {
      const { sql, parameters } = insertion(table, rows);
      await run(sql, parameters);
      if (table.counted)
        await run(`select setval(pg_get_serial_sequence('${table.name}', 'id'), (select max(id) from ${table.name}))`);
    },
    unfinished: async () => {
      const [row] = await run(`select sealed from server_keys where name = '${UNFINISHED_MOVE}'`);
      return row && Buffer.from(row.sealed as Uint8Array).toString();
    },
    mark: async (source) => {
      if (source === undefined) {
        // The planner knows nothing of what was copied, and reads whole tables until a maintenance of the database has come by (DB-30).
        await runUntimed(connections, `analyze ${MOVED_TABLES.map(({ name }) => name).join(", ")}`);
        await run(`delete from server_keys where name = '${UNFINISHED_MOVE}'`);
      } else
        await run(`insert into server_keys values ('${UNFINISHED_MOVE}', $1) on conflict do nothing`, [
          Buffer.from(source),
        ]);
    },
    close: () => connections.close(),
  };
}

function keysOf({ columns, keys }: MovedTable): readonly string[] {
  return columns.slice(0, keys);
}

/** Columns that only a database has, with their values for a row. */
const OWN_COLUMNS: Readonly<Record<string, readonly (readonly [string, (row: Row) => unknown])[]>> = {
  turns: [["words", (row) => toSearchWords(String(row[5]))]],
  operations: [
    ["owner", () => ""],
    ["cancelling", () => 0],
  ],
  a2a_tasks: [["server", () => ""]],
};

function insertion(table: MovedTable, rows: readonly Row[]): { sql: string; parameters: readonly unknown[] } {
  const own = OWN_COLUMNS[table.name] ?? [];
  const columns = [...table.columns, ...own.map(([column]) => column)];
  const parameters: unknown[] = [];
  const places = rows.map((row) => {
    const values = [...row, ...own.map(([, ofRow]) => ofRow(row))];
    const cells = values.map((value, at) => {
      parameters.push(value);
      return columns[at] === "words" ? `array_to_tsvector($${parameters.length}::text[])` : `$${parameters.length}`;
    });
    return `(${cells.join(", ")})`;
  });
  const overriding = table.counted ? "overriding system value" : "";
  // What comes out of a bucket is newer than what is there; nothing else comes twice.
  const replacing = table.name === "blobs" ? "on conflict (key) do update set bytes = excluded.bytes" : "";
  return {
    sql: `insert into ${table.name} (${columns.join(", ")}) ${overriding} values ${places.join(", ")} ${replacing}`,
    parameters,
  };
}
