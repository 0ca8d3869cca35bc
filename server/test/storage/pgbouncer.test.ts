import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import {
  startPgBouncer,
  startPostgres,
  type ThrowawayPgBouncer,
  type ThrowawayPostgres,
  withoutPgBouncer,
  withoutPostgres,
} from "#testing";
import { assertCancelledInDatabase } from "./cancelled-list.ts";
import { head, turn } from "./rows.ts";
import { storageContract } from "./storage-contract.ts";

describe("a database behind PgBouncer in transaction mode (DB-5)", {
  skip: withoutPostgres() ?? withoutPgBouncer(),
}, () => {
  let postgres: ThrowawayPostgres;
  let pooler: ThrowawayPgBouncer;
  before(async () => {
    postgres = await startPostgres();
    // Each of the ten connections of a server gets another one of these three with each transaction.
    pooler = await startPgBouncer(postgres.url, 3);
  });
  after(async () => {
    await pooler?.stop();
    await postgres?.stop();
  });

  const open = (): Promise<Storage> =>
    openStorage({ dataDir: "", database: { url: pooler.url }, clock: systemClock, logger: createLogger("silent") });

  storageContract("PostgreSQL behind PgBouncer", open);

  it("passes on that a list is to end which nobody waits for (DB-46)", async () => {
    const storage = await open();
    await assertCancelledInDatabase(storage, postgres.url).finally(() => storage.close());
  });

  it("keeps the turns of a session in order, whichever of two servers runs them (DB-6)", async () => {
    const servers = [await open(), await open()] as const;
    const sessions = Array.from({ length: 12 }, (_, at) => head("apps/pooled", `c${at}`, 1));
    const forever = new AbortController().signal;
    const talk = async (name: string) => {
      for (let count = 1; count <= 6; count += 1) {
        const { conversations } = servers[count % 2] as Storage;
        const lease = await conversations.leases?.acquire(name, forever);
        const before = await conversations.getHead(name, lease);
        assert.equal(before?.turnCount ?? 0, count - 1);
        const next = { ...head("apps/pooled", "", count), name };
        await conversations.appendTurn(next, turn(count), [], lease);
      }
    };
    await Promise.all(sessions.map(({ name }) => talk(name)));
    for (const { name } of sessions) {
      const stored = await servers[0].conversations.getTurns(name);
      assert.deepEqual(
        stored.map(({ index }) => index),
        [1, 2, 3, 4, 5, 6],
      );
    }
    await Promise.all(servers.map((server) => server.close()));
  });
});
