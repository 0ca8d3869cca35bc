import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createLogger, type Logger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import { startPostgres, startStandby, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { startTcpProxy } from "../replicas/chaos/tcp-proxy.ts";
import { head, turn } from "./rows.ts";

describe("a standby for lists (DB-13)", { skip: withoutPostgres() }, () => {
  let [postgres, standby]: ThrowawayPostgres[] = [];
  let storage: Storage;
  /** By how much the clock of the server is later, milliseconds. */
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const lines: string[] = [];
  const lists = { standby: 0, database: 0 };
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
      onLateRead: (from) => {
        lists[from]++;
      },
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
    assert.deepEqual(lists, { standby: 1, database: 0 });
    assert.equal((await storage.conversations.getTurns(head("apps/listed", "second", 1).name)).length, 1);
    // What it is behind is looked at every two seconds, and a standby that was left alone is asked again after five.
    later = 20_000;
    while ((await listed()).length === 1) await delay(50);
    assert.deepEqual(
      lines.filter((line) => line.startsWith("lists")),
      ["lists are read from the database itself"],
    );
    assert.ok(lists.database > 0);
    later = 0;
    while ((await listed()).length === 2) await delay(50);
    assert.equal(lines.at(-1), "lists are read from the standby again");
    await operator.end();
    await standby?.stop();
    const { database } = lists;
    assert.deepEqual(await listed(), ["first", "second"]);
    assert.equal(lists.database, database + 1);
  });
});

describe("a standby that takes connections and answers none (DB-13)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let standby: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
    standby = await startStandby(postgres);
  });
  after(async () => {
    await standby?.stop();
    await postgres?.stop();
  });

  /** Stores over the database and a proxy to the standby, and what they log. */
  async function openBehindProxy() {
    const proxy = await startTcpProxy(Number(new URL(standby.url).port));
    const readUrl = new URL(standby.url);
    readUrl.port = String(proxy.port);
    const lines: string[] = [];
    const note = (_: object, text?: string) => void lines.push(text ?? String(_));
    const logger = { ...createLogger("silent"), info: note, warn: note } as Logger;
    const database = { url: postgres.url, readUrl: readUrl.href, connections: 4 };
    const storage = await openStorage({ dataDir: "", database, clock: systemClock, logger });
    /** How many milliseconds a list takes. */
    const list = async () => {
      const begun = performance.now();
      await storage.conversations.list({ app: head("apps/listed", "any", 1).app, sources: [], limit: 10 });
      return performance.now() - begun;
    };
    const close = async () => {
      await storage.close();
      await proxy.close();
    };
    return { proxy, lines, list, [Symbol.asyncDispose]: close };
  }

  /** Lists until the standby is read: at first it may know nothing of this server. */
  async function untilRead({ list, lines }: Awaited<ReturnType<typeof openBehindProxy>>): Promise<void> {
    const isRead = () =>
      lines.findLast((line) => line.startsWith("lists")) !== "lists are read from the database itself";
    do await list();
    while (!isRead());
    lines.length = 0;
  }

  it("holds up the list that finds out for some two seconds, and no other", async () => {
    await using behind = await openBehindProxy();
    const { proxy, list, lines } = behind;
    await untilRead(behind);
    const speak = proxy.silence();
    const first = await Promise.all([list(), list(), list()]);
    assert.ok(Math.max(...first) < 4_500, `the first lists took ${first.map(Math.round)} ms`);
    assert.equal(lines.filter((line) => line === "lists are read from the database itself").length, 1);
    // What asks whether it is back waits for its answer; lists do not, for longer than it is left alone.
    const later = [];
    const until = performance.now() + 8_000;
    while (performance.now() < until) {
      later.push(await list());
      await delay(200);
    }
    assert.ok(Math.max(...later) < 1_500, `later lists took ${later.map(Math.round)} ms`);
    speak();
    while (lines.at(-1) !== "lists are read from the standby again") {
      await list();
      await delay(50);
    }
  });

  it("is left while it reads a list, too", async () => {
    await using behind = await openBehindProxy();
    const { proxy, list, lines } = behind;
    await untilRead(behind);
    // Later than the look of the list before, and earlier than the next one: the list itself gets no answer.
    await list();
    proxy.silence();
    const took = await list();
    assert.ok(took < 4_500, `the list took ${Math.round(took)} ms`);
    assert.ok(lines.includes("lists are read from the database itself"));
  });
});
