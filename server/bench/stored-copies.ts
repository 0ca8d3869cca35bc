// Stores what a million turns would leave behind, without them: copies of a conversation and of an app that the server itself has stored, made by SQL in the database of
// a server that is not running. A copy has everything that the original has, the words of its turns in the index too, besides a word of its own.
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { appCopy, MAX_COPIES } from "./app-copies.ts";

/** A database that is filled. Parameters are `$1`, `$2`, … in both dialects. */
export interface CopyStore extends AsyncDisposable {
  readonly dialect: "sqlite" | "postgres";
  run(sql: string, ...parameters: readonly Value[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

type Value = string | number | Uint8Array;

/** Opens the database file of a data folder. */
export function openSqliteCopies(file: string): CopyStore {
  const database = new DatabaseSync(file);
  return {
    dialect: "sqlite",
    run: async (sql, ...parameters) => {
      const named = Object.fromEntries(parameters.map((value, at) => [`$${at + 1}`, value]));
      return database.prepare(sql).all(named) as Record<string, unknown>[];
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** Connects to a PostgreSQL database. */
export async function openPostgresCopies(connectionString: string): Promise<CopyStore> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    dialect: "postgres",
    run: async (sql, ...parameters) => (await client.query(sql, [...parameters])).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Conversations of one transaction. */
const PIECE = 20_000;
/** Milliseconds between the times of two copies: a million are older than the original by 116 days, which no retention erases. */
const APART_MS = 10_000;

/** Copies a conversation, with its turns, under new names in the same app. */
export async function copyConversation(store: CopyStore, name: string, count: number): Promise<void> {
  const prefix = `${name.slice(0, name.lastIndexOf("/"))}/copy-`;
  for (let from = 1; from <= count; from += PIECE) {
    await store.run("begin");
    const [last] = await store.run("select max(id) as id from conversations");
    await store.run(COPY_HEADS, name, prefix, from, Math.min(count, from + PIECE - 1), APART_MS);
    await store.run(COPY_TURNS[store.dialect], name, Number(last?.id));
    if (store.dialect === "sqlite") for (const sql of INDEX_WORDS) await store.run(sql);
    await store.run("commit");
  }
  if (store.dialect === "postgres") await settle(store);
}

/** What a database does after so much was stored, and would else do while it is measured. */
async function settle(store: CopyStore): Promise<void> {
  await store.run("vacuum analyze");
  await store.run("checkpoint");
}

const COPY_HEADS = `
with recursive copies(n) as (select cast($3 as integer) union all select n + 1 from copies where n < cast($4 as integer))
insert into conversations (name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version, language_code, state, hidden, due_time)
select cast($2 as text) || n, app, start_time - n * cast($5 as bigint), end_time - n * cast($5 as bigint), turn_count, source, input_types, entry_agent, deployment,
  app_version, language_code, state, hidden, due_time
from conversations cross join copies where name = cast($1 as text)`;

const COPIED_TURNS = `
from conversations c join turns t on t.conversation = c.id cross join conversations copy
where c.name = cast($1 as text) and copy.id > cast($2 as integer)`;

const COPY_TURNS = {
  sqlite: `insert into turns (conversation, turn_index, body, extra, text, withheld)
    select copy.id, t.turn_index, t.body, t.extra, t.text || ' copy' || copy.id, t.withheld ${COPIED_TURNS}`,
  postgres: `insert into turns (conversation, turn_index, body, extra, text, words, withheld)
    select copy.id, t.turn_index, t.body, t.extra, t.text || ' copy' || copy.id, t.words || array_to_tsvector(array['copy' || copy.id]), t.withheld ${COPIED_TURNS}`,
} as const;

/** What a server does while it is idle: a million turns would keep it busy while it is measured. */
const INDEX_WORDS = [
  `insert into turn_words (rowid, conversation, text)
    select id, conversation, text from turns where id > (select last_turn from turn_words_progress) order by id`,
  "update turn_words_progress set last_turn = (select max(id) from turns)",
];

/** Copies an app with everything below it. Names stand in stored messages, and those of copies are as long. */
export async function copyApp(store: CopyStore, app: string, count: number): Promise<void> {
  if (count > MAX_COPIES) throw new Error(`an app can have ${MAX_COPIES} copies`);
  const rows = await store.run("select * from resources where name = $1 or name like $2", app, `${app}/%`);
  await store.run("begin");
  for (let at = 1; at <= count; at += 1) {
    const copy = appCopy(app, at);
    for (const row of rows) {
      const { name, parent, body } = row as { name: string; parent: string; body: Uint8Array };
      const renamed = Buffer.from(Buffer.from(body).toString("latin1").replaceAll(app, copy), "latin1");
      await store.run(COPY_ROW, name, name.replace(app, copy), parent.replace(app, copy), renamed);
    }
  }
  await store.run("commit");
  if (store.dialect === "postgres") await settle(store);
}

const COPY_ROW = `
insert into resources (name, type, parent, display_name, create_time, update_time, etag, body)
select $2, type, $3, display_name, create_time, update_time, etag, $4 from resources where name = $1`;

/** Bytes of the database, with its indexes. */
export async function bytesOf(store: CopyStore): Promise<number> {
  const sql =
    store.dialect === "postgres"
      ? "select pg_database_size(current_database()) as bytes"
      : "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()";
  const [row] = await store.run(sql);
  return Number(row?.bytes);
}
