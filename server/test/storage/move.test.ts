import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { moveStorage, openStorage, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { bytes, head, operation, resource, turn } from "./rows.ts";

const logger = createLogger("silent");
const root = mkdtempSync(join(tmpdir(), "frontdesk-move-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** So many that their copy says how far it is. */
const MANY_BLOBS = 260;

describe("a move between a data folder and a database (DB-11)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  const [from, back] = [join(root, "from"), join(root, "back")];
  const conversation = head("apps/moved", "long", 1);
  const forgotten = head("apps/moved", "forgotten", 1);
  const clock = systemClock;
  const database = () => ({ url: postgres.url });
  const said: string[] = [];
  const move = (dataDir: string, direction: "to-database" | "to-folder") =>
    moveStorage({ dataDir, database: database(), clock, logger }, direction, (line) => said.push(line));

  before(async () => {
    postgres = await startPostgres();
    const storage = await openStorage({ dataDir: from, clock, logger });
    await fill(storage);
    await storage.conversations.appendTurn(forgotten, turn(1, "forget"));
    await storage.close();
    // Its turns are erased when the server has time, which it has not had.
    const closed = new DatabaseSync(join(from, "frontdesk.db"));
    closed.exec(`delete from conversations where name = '${forgotten.name}'`);
    closed.close();
    writeFileSync(join(from, "chat-token.key"), bytes(60));
    for (let index = 0; index < MANY_BLOBS; index += 1)
      writeFileSync(join(from, "blobs", `${index}`.padStart(64, "0")), "x");
  });
  after(() => postgres.stop());

  async function fill({
    conversations,
    resources,
    operations,
    audit,
    blobs,
    credentials,
    shortLived,
  }: Storage): Promise<void> {
    await resources.write([{ kind: "put", row: resource("apps/moved", { displayName: "Ünïcode \0 name" }) }]);
    for (let index = 1; index <= 450; index += 1)
      await conversations.appendTurn({ ...conversation, turnCount: index }, turn(index, `word${index} common`));
    await operations.put(operation("moved", { done: true }));
    await audit.append([{ id: 0, time: 1.5, principal: "user:a", method: "m", resource: "r", body: "{}", entry: "e" }]);
    await blobs.put("an image", bytes(70_000));
    await blobs.put("for a while", bytes(5), 10);
    await shortLived.put({ kind: "retention", key: "last-use", body: "1", expireTime: 8.64e15 });
    const key = { id: "k", parent: "projects/p", kind: "api-key", principal: "p", secretDigest: "d", createTime: 1 };
    await credentials.insert({ ...key, body: "{}" });
  }

  async function contentOf(storage: Storage): Promise<Readonly<Record<string, unknown>>> {
    const { conversations, resources, operations, audit, blobs, credentials, shortLived } = storage;
    const query = { app: conversation.app, sources: [], limit: 5 };
    const found = await conversations.list({ ...query, where: { kind: "search", words: "word449 comm" } });
    const { displayName, ...row } = (await resources.get(resource("apps/moved").name)) ?? { displayName: "" };
    return {
      ...{ row, displayName: displayName.replace("\0", "\uFFFD") },
      turns: await conversations.getTurns(conversation.name),
      found: found.rows,
      head: await conversations.getHead(conversation.name),
      operation: await operations.get(operation("moved").name),
      audit: (await audit.list({ limit: 5 })).map((entry) => ({ ...entry })),
      image: await blobs.get("an image"),
      credential: await credentials.get("k"),
      lastUse: await shortLived.get("retention", "last-use"),
    };
  }

  it("goes on after an interruption, and no server opens what is not whole", async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await (await openStorage({ dataDir: "", database: database(), clock, logger })).close();
    await client.query(`create function no_more() returns trigger language plpgsql as $$
      begin if new.turn_index > 300 then raise exception 'the power is gone'; end if; return new; end $$`);
    await client.query("create trigger no_more before insert on turns for each row execute function no_more()");
    await assert.rejects(move(from, "to-database"), /the power is gone/);
    await assert.rejects(
      openStorage({ dataDir: "", database: database(), clock, logger }),
      /run the same 'frontdesk move'/,
    );
    await client.query("drop trigger no_more on turns");
    const { tables } = await move(from, "to-database");
    // Without statistics the planner would read all turns for a word that many have (DB-30).
    const { rows: known } = await client.query(
      "select 1 from pg_stats where tablename = 'turns' and attname = 'words'",
    );
    await client.end();
    assert.equal(known.length, 1);
    assert.deepEqual(
      tables.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]),
      [
        ["resources", 1],
        ["conversations", 1],
        ["turns", 451],
        ["removed_conversations", 1],
        ["operations", 1],
        ["credentials", 1],
        ["audit", 1],
        ["short_lived", 1],
        ["blob_ends", 1],
        ["blobs", 2 + MANY_BLOBS],
        ["server_keys", 1],
      ],
    );
    assert.deepEqual(
      said.filter((line) => /^comparing| so far$/.test(line)),
      [
        "blobs: 250 rows copied so far",
        "comparing the rows of both ends",
        "blobs: 250 rows of both ends read so far",
        "blobs: 500 rows of both ends read so far",
      ],
    );
  });

  it("brings everything there and back, and both go on", async () => {
    await move(back, "to-folder");
    const storages = [
      await openStorage({ dataDir: from, clock, logger }),
      await openStorage({ dataDir: "", database: database(), clock, logger }),
      await openStorage({ dataDir: back, clock, logger }),
    ];
    const [first, ...others] = await Promise.all(storages.map(contentOf));
    // A difference of thousands of bytes would take minutes to be shown.
    for (const other of others)
      for (const [part, content] of Object.entries(other))
        assert.ok(isDeepStrictEqual(content, first?.[part]), `${part} differs`);
    for (const { conversations, blobs } of storages) {
      assert.equal(await blobs.removeEnded(10, 9), 1);
      await conversations.appendTurn({ ...conversation, turnCount: 451 }, turn(451));
    }
    const moved = new DatabaseSync(join(back, "frontdesk.db"));
    const turns = moved.prepare("select count(*) as count from turns");
    while (turns.get()?.count !== 451) await new Promise((resolve) => setTimeout(resolve, 20));
    moved.close();
    await Promise.all(storages.map((storage) => storage.close()));
  });

  it("is refused into what has data, and while a server has the data", async () => {
    await assert.rejects(move(from, "to-database"), /has data already \(resources\)/);
    const running = await openStorage({ dataDir: "", database: database(), clock, logger });
    await assert.rejects(move(join(root, "empty"), "to-folder"), /A server uses the database .*: stop it first/);
    await running.close();
  });
});
