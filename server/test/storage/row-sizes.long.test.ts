// What a stored conversation costs on the disk, for docs/scale.md: `npm run test:long -- server/test/storage/row-sizes.long.test.ts`.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it, type TestContext } from "node:test";
import pg from "pg";
import { startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const [CONVERSATIONS, TURNS, AT_ONCE] = [400, 10, 8];
const TEXTS = [
  "Hello, I have a question about an order of last week.",
  "Where is my order A-1001?",
  "What can you do for me?",
  "And where is A-1002, please? It was to arrive on Monday.",
  "Thank you, that helps.",
];
/** Bytes of a turn with all that it takes in tables and indexes. docs/scale.md computes with less. */
const MOST = 8_000;

/** Whole conversations with the example app and the built-in model, whose turns call a tool and have a trace. */
async function talk(server: TestServer): Promise<void> {
  const rest = restOf(() => server);
  const ids = Array.from({ length: CONVERSATIONS }, (_, at) => `conversation-${at}`);
  const talkOn = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop())
      for (let turn = 0; turn < TURNS; turn += 1)
        await rest("POST", `${APP}/sessions/${id}:runSession`, {
          config: {},
          inputs: [{ text: TEXTS[turn % TEXTS.length] }],
        });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, talkOn));
}

function tell(t: TestContext, what: string, bytes: number): number {
  const each = bytes / (CONVERSATIONS * TURNS);
  t.diagnostic(`${what}: ${each.toFixed(0)} bytes a turn`);
  return each;
}

it("a turn in PostgreSQL takes no more than docs/scale.md computes with", {
  skip: withoutPostgres(),
  timeout: 600_000,
}, async (t) => {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres({ settings: ["autovacuum=on", "full_page_writes=on"] });
  resources.defer(() => postgres.stop());
  const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
  const server = await startTestServer({ example: true, config: { database: { url: postgres.url }, sealing } });
  resources.defer(() => server[Symbol.asyncDispose]());
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  resources.defer(() => database.end());
  const one = async (sql: string) => Number((await database.query({ text: sql, rowMode: "array" })).rows[0]?.[0] ?? 0);
  const wal = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')";
  const before = await one(wal);
  await talk(server);
  tell(t, "log of writes (WAL)", (await one(wal)) - before);
  await database.query("vacuum analyze");
  const { rows } = await database.query<{ name: string; heap: string; indexes: string; all: string }>(
    `select relname as name, pg_relation_size(oid) as heap, pg_indexes_size(oid) as indexes, pg_total_relation_size(oid) as all
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit 5`,
  );
  for (const { name, heap, indexes, all } of rows)
    tell(t, `${name}, of which table ${heap} and indexes ${indexes} bytes in all`, Number(all));
  for (const name of ["turns_by_words", "turns_pkey", "turns_conversation_turn_index_key"])
    tell(t, name, await one(`select pg_relation_size('${name}')`));
  tell(t, "content of a turn (body)", await one("select sum(length(body)) from turns"));
  tell(t, "text of a turn", await one("select sum(length(text) + length(extra)) from turns"));
  const sizes = rows.filter(({ name }) => ["turns", "conversations", "leases"].includes(name));
  const bytes = sizes.reduce((sum, { all }) => sum + Number(all), 0);
  assert.ok(tell(t, "turns, conversations and leases", bytes) < MOST);
});

it("a turn in a data folder takes no more than docs/scale.md computes with", { timeout: 600_000 }, async (t) => {
  const server = await startTestServer({ example: true });
  t.after(() => server[Symbol.asyncDispose]());
  await talk(server);
  // A search indexes what is not indexed yet.
  await restOf(() => server)("GET", `${APP}/conversations?filter=${encodeURIComponent('"Monday"')}&pageSize=1`);
  const file = join(server.dataDir, "frontdesk.db");
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  database.exec("pragma wal_checkpoint(truncate)");
  const tables = database.prepare(
    "select name, sum(pgsize) as bytes from dbstat group by name order by 2 desc limit 8",
  );
  for (const { name, bytes } of tables.all()) tell(t, String(name), Number(bytes));
  const body = database.prepare("select sum(length(body)) as bytes from turns").get();
  tell(t, "content of a turn (body)", Number(body?.bytes));
  assert.ok(tell(t, "the file", statSync(file).size) < MOST);
});
