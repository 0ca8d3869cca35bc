import assert from "node:assert/strict";
import { it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { startPostgres, withoutPostgres } from "#testing";
import { openStorage } from "../open-storage.ts";

/** Sessions beside the one that is measured. */
const OTHERS = 2_000;

const HEAD = {
  ...{ token: "t", app: "a", start_time: 0, end_time: 0, source: 1, input_types: "", entry_agent: "" },
  ...{ deployment: "", app_version: "", language_code: "", state: "{}", hidden: 0, due_time: null },
  ...{ extra: "", text: "", words: [], withheld: 0, body_from: 1, body_bytes: 1 },
};

const ADD_LEASES = "insert into leases select 'other ' || n, 'me', '', false, '' from generate_series(1, $1) as n";

const ADD_CONVERSATIONS = `
  insert into conversations (name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version,
    language_code, state, hidden, due_time)
  select 'other ' || n, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version,
    language_code, state, hidden, due_time
  from conversations cross join generate_series(1, $1) as n`;

it("a turn reads the rows of its own session alone, also when statistics are of a time without others (DB-3)", {
  skip: withoutPostgres(),
}, async () => {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const database = { url: postgres.url };
  const storage = await openStorage({ dataDir: "", database, clock: systemClock, logger: createLogger("silent") });
  resources.defer(() => storage.close());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  resources.defer(() => client.end());
  const begin = (session: string) =>
    client.query("select granted from begin_turns('me', $1, null)", [JSON.stringify([{ name: session, token: "t" }])]);
  const store = (name: string, turn: number) =>
    client.query("select append_turns($1, '\\x00', '[]') as name", [
      JSON.stringify([{ ...HEAD, name, turn_count: turn }]),
    ]);

  await begin("s");
  await store("s", 1);
  await client.query("vacuum analyze leases, conversations");
  // The plans are made, and stay.
  for (let turn = 2; turn < 12; turn += 1) {
    await begin("s");
    await store("s", turn);
  }
  await client.query(ADD_LEASES, [OTHERS]);
  await client.query(ADD_CONVERSATIONS, [OTHERS]);

  await client.query("begin");
  const before = await rowsRead(client);
  await begin("s");
  assert.deepEqual((await store("s", 12)).rows, [{ name: "s" }]);
  const read = (await rowsRead(client)) - before;
  await client.query("rollback");
  assert.ok(read < 20, `${read} rows were read`);
});

async function rowsRead(client: pg.Client): Promise<number> {
  const sql = `select sum(idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables
    where relname in ('leases', 'conversations')`;
  return (await client.query(sql)).rows[0].read;
}
