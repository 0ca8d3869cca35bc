import assert from "node:assert/strict";
import { it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { startPostgres, withoutPostgres } from "#testing";
import { openStorage } from "../open-storage.ts";

/** Leases of other sessions. */
const OTHERS = 2_000;

const HEAD = {
  ...{
    name: "s",
    token: "t",
    app: "a",
    start_time: 0,
    end_time: 0,
    turn_count: 1,
    source: 1,
    input_types: "",
    entry_agent: "",
  },
  ...{ deployment: "", app_version: "", language_code: "", state: "{}", hidden: 0, due_time: null },
  ...{ extra: "", text: "", words: [], withheld: 0, body_from: 1, body_bytes: 1 },
};

it("a turn reads its own lease alone, also when statistics are of a time without leases (DB-3)", {
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
  const store = (name: string) =>
    client.query("select append_turns($1, '\\x00', '[]') as name", [JSON.stringify([{ ...HEAD, name }])]);

  await begin("first");
  await client.query("vacuum analyze leases");
  // The plans are made, and stay.
  for (let at = 0; at < 10; at += 1) {
    await begin("s");
    await store("s");
  }
  await client.query("insert into leases select 'other ' || n, 'me', '', false, '' from generate_series(1, $1) as n", [
    OTHERS,
  ]);

  await client.query("begin");
  const before = await leasesRead(client);
  await begin("last");
  assert.deepEqual((await store("last")).rows, [{ name: "last" }]);
  const read = (await leasesRead(client)) - before;
  await client.query("rollback");
  assert.ok(read < 10, `${read} leases were read`);
});

async function leasesRead(client: pg.Client): Promise<number> {
  const sql =
    "select (idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'leases'";
  return (await client.query(sql)).rows[0].read;
}
