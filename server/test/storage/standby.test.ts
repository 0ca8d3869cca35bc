import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import { startPostgres, startStandby, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { head, turn } from "./rows.ts";

describe("a standby for lists (DB-13)", { skip: withoutPostgres() }, () => {
  let [postgres, standby]: ThrowawayPostgres[] = [];
  let storage: Storage;
  before(async () => {
    postgres = await startPostgres();
    standby = await startStandby(postgres);
    storage = await openStorage({
      dataDir: "",
      database: { url: postgres.url, readUrl: standby.url, connections: 2 },
      clock: systemClock,
      logger: createLogger("silent"),
    });
  });
  after(async () => {
    await storage?.close();
    await standby?.stop();
    await postgres?.stop();
  });

  const append = (id: string) => storage.conversations.appendTurn(head("apps/listed", id, 1), turn(1));
  const listed = async () => {
    const query = { app: head("apps/listed", "any", 1).app, sources: [], limit: 10 };
    return (await storage.conversations.list(query)).rows
      .map(({ head: { name } }) => name.split("/").at(-1))
      .toSorted();
  };

  it("is read for lists, and for nothing else, until it fails; then the database itself is", async () => {
    await append("first");
    const operator = new pg.Client({ connectionString: `${standby?.url}` });
    await operator.connect();
    const isKnown = async () => (await operator.query("select to_regclass('conversations') as it")).rows[0].it !== null;
    const follows = async () =>
      (await isKnown()) && (await operator.query("select 1 from conversations")).rows.length > 0;
    while (!(await follows()));
    await operator.query("select pg_wal_replay_pause()");
    while ((await operator.query("select pg_get_wal_replay_pause_state() as state")).rows[0].state !== "paused");
    await append("second");
    assert.deepEqual(await listed(), ["first"]);
    assert.equal((await storage.conversations.getTurns(head("apps/listed", "second", 1).name)).length, 1);
    await operator.end();
    await standby?.stop();
    assert.deepEqual(await listed(), ["first", "second"]);
  });
});
