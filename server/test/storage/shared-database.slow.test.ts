import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { Code, ConnectError } from "#status";
import { checkStorage, openStorage, type Storage, StorageError } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { lease } from "./lease.ts";
import { head, isAborted, operation, resource, turn } from "./rows.ts";

describe("a database that servers share", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let database: pg.Client;
  let [one, two]: Storage[] = [];

  const open = (url = postgres.url, more = {}): Promise<Storage> =>
    openStorage({ dataDir: "", database: { url, ...more }, clock: systemClock, logger: createLogger("silent") });

  before(async () => {
    postgres = await startPostgres();
    [one, two] = [await open(), await open()];
    database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
  });
  after(async () => {
    await database?.end();
    await Promise.all([one?.close(), two?.close()]);
    await postgres?.stop();
  });

  /** The owner of a lease ended without a word, or sleeps for longer than it counts. */
  const abandon = (name: string) => database.query("update leases set owner = 'gone' where session = $1", [name]);

  it("needs a folder for caches, and makes it", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "frontdesk-shared-")), "new");
    const options = { dataDir: folder, clock: systemClock, logger: createLogger("silent") };
    await (await openStorage({ ...options, database: { url: postgres.url } })).close();
    assert.deepEqual(readdirSync(folder), []);
    rmSync(dirname(folder), { recursive: true });
  });

  it("lets the turn of one server begin when that of another has ended (DB-6)", async () => {
    const first = head("apps/leases", "waiting", 1);
    const held = await lease(one, first.name);
    const waiting = lease(two, first.name);
    await one?.conversations.appendTurn(first, turn(1), [], held);
    const next = await waiting;
    assert.deepEqual(await two?.conversations.getHead(first.name, next), first);
    await two?.conversations.appendTurn({ ...first, turnCount: 2 }, turn(2), [], next);
    assert.equal((await one?.conversations.getTurns(first.name))?.length, 2);
  });

  it("stores nothing of a server that slept while another took its lease over (DB-6)", async () => {
    const first = head("apps/leases", "slept", 1);
    const slept = await lease(one, first.name);
    await abandon(first.name);
    const taken = await lease(two, first.name);
    await assert.rejects(async () => one?.conversations.appendTurn(first, turn(1, "old"), [], slept), isAborted);
    await two?.conversations.appendTurn(first, turn(1, "new"), [], taken);
    await assert.rejects(
      async () => one?.conversations.appendTurn({ ...first, turnCount: 2 }, turn(2), [], slept),
      isAborted,
    );
    assert.deepEqual(
      (await two?.conversations.getTurns(first.name))?.map(({ text }) => text),
      ["new"],
    );
  });

  it("does not wait longer than its caller for a lease", async () => {
    const name = head("apps/leases", "impatient", 1).name;
    const held = await lease(one, name);
    const stop = new AbortController();
    const waiting = two?.conversations.leases?.acquire(name, stop.signal);
    stop.abort(new Error("the caller is gone"));
    await assert.rejects(waiting ?? Promise.resolve(), /the caller is gone/);
    held.release();
    (await lease(two, name)).release();
  });

  it("tells a server that remembers the head of a session when another has had a turn, or changed it", async () => {
    const first = head("apps/leases", "remembered", 1);
    await one?.conversations.appendTurn(first, turn(1), [], await lease(one, first.name));
    const again = await lease(one, first.name);
    assert.equal(again.unchanged, true);
    const known = await one?.conversations.getHead(first.name, again);
    again.release();
    const other = await lease(two, first.name);
    await two?.conversations.appendTurn({ ...first, state: "theirs", turnCount: 2 }, turn(2), [], other);
    const later = await lease(one, first.name);
    assert.equal(later.unchanged, false);
    assert.equal((await one?.conversations.getHead(first.name, later))?.state, "theirs");
    later.release();
    assert.equal(known?.state, first.state);
    assert.equal(await two?.conversations.settle(first.name, 2, "settled"), true);
    const settled = await lease(one, first.name);
    assert.equal((await one?.conversations.getHead(first.name, settled))?.state, "settled");
    settled.release();
  });

  it("counts writes of resources by other servers before a refresh has ended, however their transactions overlap (DB-7)", async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => resource(`apps/changes/agents/a${at}`));
    const before = two?.resources.generation(`${rows[0]?.parent}`, [`${rows[0]?.type}`]) ?? 0;
    const slow = new pg.Client({ connectionString: postgres.url });
    await slow.connect();
    await slow.query("begin");
    await slow.query("insert into changes (origin, kind, name, type) values ('elsewhere', 'resource', $1, 'Agent')", [
      `${rows[0]?.parent}/agents/slow`,
    ]);
    await Promise.all(rows.map((row) => one?.resources.write([{ kind: "put", row }])));
    await two?.resources.refresh?.();
    const between = two?.resources.generation(`${rows[0]?.parent}`, ["Agent"]) ?? 0;
    await slow.query("commit");
    await slow.end();
    await two?.resources.refresh?.();
    const last = two?.resources.generation(`${rows[0]?.parent}`, ["Agent"]) ?? 0;
    assert.ok(before < between && between < last, `${before} < ${between} < ${last}`);
  });

  it("gives the operations of a server that has ended to one other server (DB-8)", async () => {
    const third = await open();
    const running = ["o1", "o2", "o3"].map((id) => operation(id));
    await Promise.all(running.map((row) => third.operations.put(row)));
    assert.deepEqual(await one?.operations.unfinished(), []);
    await third.close();
    const adopted = await Promise.all([one?.operations.unfinished(), two?.operations.unfinished()]);
    assert.deepEqual(
      adopted
        .flat()
        .map((row) => row?.name)
        .toSorted(),
      running.map(({ name }) => name),
    );
  });

  it("keeps what the new owner of an operation stored, and tells the old one (DB-8)", async () => {
    const row = operation("taken");
    await one?.operations.put(row);
    await database.query("update operations set owner = 'gone' where name = $1", [row.name]);
    assert.ok((await two?.operations.unfinished())?.some(({ name }) => name === row.name));
    assert.deepEqual(await one?.operations.shared?.askedOf([row.name]), { cancelled: [], lost: [row.name] });
    await two?.operations.put({ ...row, kind: "Theirs", done: true });
    await one?.operations.put({ ...row, kind: "Mine", done: true });
    assert.equal((await one?.operations.get(row.name))?.kind, "Theirs");
  });

  it("asks the owner of an operation to cancel it (DB-8)", async () => {
    const row = operation("cancelled");
    await one?.operations.put(row);
    await two?.operations.shared?.requestCancel(row.name);
    assert.deepEqual(await one?.operations.shared?.askedOf([row.name]), { cancelled: [row.name], lost: [] });
  });

  it("makes one key of those that servers make at the same time", async () => {
    const made = await Promise.all(
      [one, two].map((storage, at) => storage?.keys?.getOrMake("a-key", () => new Uint8Array([at]))),
    );
    assert.deepEqual(made[0], made[1]);
  });

  it("lets one server do work that is done alone", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = one?.replica?.exclusively("job", () => promise);
    await new Promise((next) => setImmediate(next));
    const held = async () =>
      (await database.query("select 1 from leases where session = 'work/job' and held")).rowCount;
    while ((await held()) === 0);
    assert.equal(await two?.replica?.exclusively("job", () => assert.fail("two at the same time")), false);
    resolve();
    assert.equal(await busy, true);
  });

  it("runs nothing on a server whose clock is wrong, and says so (DB-9)", async () => {
    const clock = { now: () => Date.now() + 60_000 };
    const logger = createLogger("silent");
    const wrong = await openStorage({ dataDir: "", database: { url: postgres.url }, clock, logger });
    await assert.rejects(lease(wrong, "projects/p/locations/l/apps/a/conversations/c"), /differ by 60 s/);
    await assert.rejects(wrong.check(), (error) => error instanceof StorageError && error.reason === "CLOCK");
    await wrong.close();
  });

  /** A database of its own on the same server. */
  async function another(name: string): Promise<{ readonly url: string; readonly client: pg.Client }> {
    await database.query(`create database ${name}`);
    const url = postgres.url.replace(/postgres$/, name);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return { url, client };
  }

  const refused = (url: string, reason: string, sentence: RegExp, more = {}) =>
    assert.rejects(open(url, more), (error) => {
      assert.ok(error instanceof StorageError, String(error));
      assert.match(error.message, sentence);
      assert.equal(error.reason, reason);
      assert.ok(!error.message.includes("hidden"), "the message has the password");
      return true;
    });

  it("is refused in one sentence when it is older, newer, read-only, closed to the user, missing, or no PostgreSQL (DB-2)", async () => {
    const older = await another("older");
    await refused(
      older.url,
      "OLDER_SCHEMA",
      /has schema version 0, and this release needs \d+: run 'frontdesk migrate'/,
      {
        migrate: false,
      },
    );
    await (await open(older.url)).close();
    await older.client.query("insert into schema_version values (99, 1)");
    await (await open(older.url)).close();
    await older.client.query("insert into schema_version values (100, 98)");
    await refused(
      older.url,
      "NEWER_SCHEMA",
      /has schema version 100, which releases that know only version \d+ cannot use/,
    );
    await older.client.end();

    const standby = await another("standby");
    await standby.client.query("alter database standby set default_transaction_read_only = on");
    await refused(standby.url, "READ_ONLY", /takes no writes/);
    await standby.client.end();

    await database.query("create role guest login password 'hidden'");
    await refused(
      postgres.url.replace("owner@", "guest:hidden@"),
      "READ_ONLY",
      /refuses this user \(permission denied/,
    );
    await refused(postgres.url.replace("owner@", "nobody:hidden@"), "FAILED", /refuses the sign-in/);
    await refused(postgres.url.replace(/postgres$/, "missing"), "FAILED", /does not exist/);

    const other = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    await refused(`postgres://desk:hidden@127.0.0.1:${port}/desk`, "FAILED", /speak as PostgreSQL|cannot be reached/);
    await new Promise((resolve) => other.close(resolve));
    await refused(
      `postgres://desk:hidden@127.0.0.1:${port}/desk`,
      "FAILED",
      /cannot be reached \(connect ECONNREFUSED/,
    );
  });

  it("is examined for what would keep a server from starting, without a change (DB-21)", async () => {
    const examine = (url: string) =>
      checkStorage({ dataDir: "", database: { url }, logger: createLogger("silent") }).catch(
        (error: Error) => error.message,
      );
    const as = (role: string, url: string) => url.replace("owner@", `${role}@`);
    const [migrated, empty] = [await another("examined"), await another("examined_empty")];
    await (await open(migrated.url)).close();
    for (const role of ["reader", "adder"]) await database.query(`create role ${role} login`);
    await migrated.client.query("grant select on all tables in schema public to reader, adder");
    await migrated.client.query("grant insert, delete on all tables in schema public to adder");
    await empty.client.query("revoke create on schema public from public");

    const lacking = /does not let this user read and write '\w+' and \d+ other tables: grant it all on the tables/;
    assert.match(await examine(migrated.url), /^PostgreSQL, schema version \d+$/);
    for (const role of ["reader", "adder"]) {
      assert.match(await examine(as(role, migrated.url)), lacking);
      await refused(as(role, migrated.url), "READ_ONLY", lacking);
    }
    assert.match(await examine(as("reader", empty.url)), /does not let this user create tables: grant it CREATE/);
    assert.match(await examine(empty.url), /has schema version 0, and this release needs \d+/);
    assert.equal((await migrated.client.query("select 1 from write_check")).rowCount, 0);
    const ahead = { now: () => Date.now() + 60_000 };
    const wrong = checkStorage({ dataDir: "", database: { url: migrated.url }, logger: createLogger("silent") }, ahead);
    await assert.rejects(wrong, /differ by 60 s, so this server runs no turns: set the clock/);
    await migrated.client.query("insert into server_keys (name, sealed) values ('unfinished-move', '')");
    assert.match(await examine(migrated.url), /A move into '.*' has begun and not ended/);
    await migrated.client.query("delete from server_keys where name = 'unfinished-move'");
    assert.equal((await empty.client.query("select to_regclass('schema_version') as it")).rows[0].it, null);

    await migrated.client.query("delete from schema_version where version > 3");
    await migrated.client.query("grant create on schema public to adder");
    assert.match(
      await examine(as("adder", migrated.url)),
      /does not let this user change the table 'a2a_push_configs'/,
    );
    await migrated.client.query("insert into schema_version select n, 1 from generate_series(4, 100) as n");
    for (const name of ["examined", "examined_empty"])
      await database.query(`alter database ${name} set default_transaction_read_only = on`);
    for (const { url, client } of [migrated, empty]) {
      assert.match(await examine(url), /takes no writes: it is a standby or read-only/);
      await client.end();
    }
  });

  it("answers UNAVAILABLE with a time to try again while the database is gone, and goes on when it is back (DB-10)", async () => {
    const alone = await startPostgres();
    const storage = await open(alone.url);
    await storage.conversations.appendTurn(head("apps/gone", "c", 1), turn(1));
    await alone.stop();
    await assert.rejects(storage.conversations.getTurns(head("apps/gone", "c", 1).name), (error) => {
      assert.ok(error instanceof ConnectError);
      return error.code === Code.Unavailable && error.details.length === 2;
    });
    await storage.close();
  });
});
