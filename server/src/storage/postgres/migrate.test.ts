import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { startPostgres, withoutPostgres } from "#testing";
import type { ConversationHead, TurnRow } from "../contract.ts";
import { openStorage } from "../open-storage.ts";
import { openConnections } from "./connections.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";

const APP = "projects/p/locations/l/apps/a";
const CONVERSATION = `${APP}/conversations/c`;
/** What the next release may do to tables that this one uses, and what only the one after it may. */
const EXPAND = {
  oldest: MIGRATIONS.length,
  sql: `
  alter table turns add column later integer not null default 0;
  alter table conversations add column later text not null default '';
  alter table leases add column later integer not null default 0;
  create table later (id integer primary key);
  create index conversations_later on conversations (later);
  `,
};
const CONTRACT = { oldest: MIGRATIONS.length + 1, sql: "alter table conversations drop column hidden" };

function headOf(turnCount: number): ConversationHead {
  return {
    ...{ name: CONVERSATION, app: APP, startTime: 1, endTime: 2, turnCount, source: 1, inputTypes: [1] },
    ...{ entryAgent: "", deployment: "", appVersion: "", languageCode: "en", state: "{}" },
  };
}

function turnOf(index: number): TurnRow {
  return { index, body: new Uint8Array([index]), extra: "{}", text: "hello" };
}

describe("two releases side by side", () => {
  it("share a schema that the newer one has expanded while the older one stores turns, until it is contracted (DB-2)", {
    skip: withoutPostgres(),
  }, async () => {
    await using resources = new AsyncDisposableStack();
    const postgres = await startPostgres();
    resources.defer(() => postgres.stop());
    const [logger, database] = [createLogger("silent"), { url: postgres.url }];
    const open = () => openStorage({ dataDir: "", database, clock: systemClock, logger });
    const older = await open();
    resources.defer(() => older.close());
    const connections = openConnections(database, logger);
    resources.defer(() => connections.close());
    const apply = (...more: readonly (typeof EXPAND)[]) =>
      migrate(connections, { place: "test", apply: true, migrations: [...MIGRATIONS, ...more] });

    let stored = 0;
    const talk = async (until: number) => {
      for (; stored < until; stored += 1) await older.conversations.appendTurn(headOf(stored + 1), turnOf(stored + 1));
    };
    await talk(5);
    await Promise.all([talk(60), apply(EXPAND)]);
    await talk(65);
    const restarted = await open();
    assert.equal((await restarted.conversations.getHead(CONVERSATION))?.turnCount, 65);
    await restarted.close();
    await apply(EXPAND, CONTRACT);
    await assert.rejects(open(), { reason: "NEWER_SCHEMA" });
  });

  it("goes on with a migration that deadlocked with a turn (DB-2)", { skip: withoutPostgres() }, async () => {
    await using resources = new AsyncDisposableStack();
    const postgres = await startPostgres();
    resources.defer(() => postgres.stop());
    const connections = openConnections({ url: postgres.url }, createLogger("silent"));
    resources.defer(() => connections.close());
    await migrate(connections, { place: "test", apply: true });
    const turn = new pg.Client(postgres.url);
    await turn.connect();
    resources.defer(() => turn.end());

    await turn.query("begin; lock table leases in row exclusive mode");
    const migrated = migrate(connections, { place: "test", apply: true, migrations: [...MIGRATIONS, EXPAND] });
    const waits = "select from pg_locks where not granted and relation = 'leases'::regclass";
    while ((await turn.query(waits)).rowCount === 0) await delay(10);
    await turn.query("lock table turns in row exclusive mode; commit");
    assert.deepEqual(await migrated, { from: MIGRATIONS.length, to: MIGRATIONS.length + 1 });
  });

  for (const [at, { sql, oldest }] of MIGRATIONS.entries())
    it(`are what migration ${at + 1} lets run: what drops or renames something excludes the releases before it (DB-2)`, () => {
      const version = at + 1;
      assert.ok(oldest <= version);
      if (/\b(?:drop|rename)\b|\balter column\b.*\btype\b/i.test(sql)) assert.equal(oldest, version);
    });
});
