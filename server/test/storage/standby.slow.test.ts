import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createLogger, type Logger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import { startPostgres, startStandby, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { head, turn } from "./rows.ts";

describe("a standby for lists (DB-13)", { skip: withoutPostgres() }, () => {
  let [postgres, standby]: ThrowawayPostgres[] = [];
  let storage: Storage;
  /** By how much the clock of the server is later, milliseconds. */
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const lines: string[] = [];
  const note = (_: object, text?: string) => void lines.push(text ?? String(_));
  const logger = { ...createLogger("silent"), info: note, warn: note } as Logger;
  before(async () => {
    postgres = await startPostgres();
    standby = await startStandby(postgres);
    storage = await openStorage({
      dataDir: "",
      database: { url: postgres.url, readUrl: standby.url, connections: 2 },
      clock,
      logger,
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
    // What it is behind is looked at every two seconds, and a standby that was left alone is asked again after five.
    later = 20_000;
    while ((await listed()).length === 1) await delay(50);
    assert.deepEqual(
      lines.filter((line) => line.startsWith("lists")),
      ["lists are read from the database itself"],
    );
    later = 0;
    while ((await listed()).length === 2) await delay(50);
    assert.equal(lines.at(-1), "lists are read from the standby again");
    await operator.end();
    await standby?.stop();
    assert.deepEqual(await listed(), ["first", "second"]);
  });
});
