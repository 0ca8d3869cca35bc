import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createLogger, systemClock } from "#base";
import { Code, ConnectError } from "#status";
import { openStorage, type SessionLease, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { lease } from "./lease.ts";
import { head, isAborted, turn } from "./rows.ts";

/** A database that crashed has no leases. */
describe("a database that crashes", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let server: Storage;
  let other: Storage;
  before(async () => {
    postgres = await startPostgres();
    [server, other] = [await open(), await open()];
  });
  after(async () => {
    await Promise.all([server?.close(), other?.close()]);
    await postgres?.stop();
  });

  const open = (): Promise<Storage> =>
    openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger: createLogger("silent") });
  /** Ends the database as a crash does. Resolves when both servers reach it again: what is asked before is refused (DB-10). */
  const crash = async (): Promise<void> => {
    await postgres.restart();
    for (const { conversations } of [server, other])
      while (!(await conversations.getHead("apps/crash/conversations/any").then(() => true, isUnavailable)))
        await pause(20);
  };
  const isUnavailable = (error: unknown): false => {
    assert.ok(error instanceof ConnectError && error.code === Code.Unavailable);
    return false;
  };
  const isConflict = (sentence: RegExp) => (error: unknown) => isAborted(error) && sentence.test(String(error));

  it("stores the turns that ran meanwhile, the first of a session and a later one (DB-6)", async () => {
    const [first, later] = [head("apps/crash", "first", 1), head("apps/crash", "later", 1)];
    await server.conversations.appendTurn(later, turn(1), [], await lease(server, later.name));
    const held = [await lease(server, first.name), await lease(server, later.name)];
    await crash();
    await server.conversations.appendTurn(first, turn(1), [], held[0]);
    await server.conversations.appendTurn({ ...later, turnCount: 2 }, turn(2), [], held[1]);
    const next = await lease(other, later.name);
    assert.equal(next.head?.turnCount, 2);
    await other.conversations.appendTurn({ ...later, turnCount: 3 }, turn(3), [], next);
    assert.equal((await server.conversations.getTurns(first.name)).length, 1);
    assert.equal((await server.conversations.getTurns(later.name)).length, 3);
  });

  it("refuses a turn that ran meanwhile when another server has the session, and says why (DB-6)", async () => {
    const first = head("apps/crash", "taken", 1);
    const held = await lease(server, first.name);
    await crash();
    const taken = await lease(other, first.name);
    const late = () => server.conversations.appendTurn(first, turn(1, "late"), [], held);
    await assert.rejects(late, isConflict(/the session was taken over/));
    await other.conversations.appendTurn(first, turn(1, "taken"), [], taken);
    await assert.rejects(late, isConflict(/another turn of this session came first/));
    await crash();
    await assert.rejects(late, isConflict(/another turn of this session came first/));
    assert.deepEqual(
      (await other.conversations.getTurns(first.name)).map(({ text }) => text),
      ["taken"],
    );
  });

  it("stores one of two first turns, and one of two later ones, that servers end at the same time (DB-6)", async () => {
    for (const index of [1, 2]) {
      const sessions = Array.from({ length: 20 }, (_, at) => head("apps/crash", `both${at}`, index));
      const held = await Promise.all(sessions.map(({ name }) => lease(server, name)));
      await crash();
      const outcomes = await Promise.allSettled(
        sessions.flatMap((session, at) =>
          [server, other].map((one) => one.conversations.appendTurn(session, turn(index), [], held[at])),
        ),
      );
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, sessions.length);
      for (const { name } of sessions) assert.equal((await server.conversations.getTurns(name)).length, index);
    }
  });

  it("refuses a turn of a conversation that was removed or settled while it ran (DB-6)", async () => {
    const [removed, settled] = [head("apps/crash", "removed", 1), head("apps/crash", "settled", 1)];
    for (const one of [removed, settled])
      await server.conversations.appendTurn(one, turn(1), [], await lease(server, one.name));
    const [ofRemoved, ofSettled] = [await lease(server, removed.name), await lease(server, settled.name)];
    const late = (one: typeof removed, held: SessionLease) => () =>
      server.conversations.appendTurn({ ...one, turnCount: 2 }, turn(2), [], held);
    await other.conversations.remove([removed.name]);
    await other.conversations.settle(settled.name, 1, "settled");
    await assert.rejects(late(removed, ofRemoved), isConflict(/the turn before it is not stored/));
    await assert.rejects(late(settled, ofSettled), isConflict(/the session was taken over or changed/));
    const again = { ...removed, startTime: 2_000 };
    await other.conversations.appendTurn(again, turn(1), [], await lease(other, again.name));
    await crash();
    await assert.rejects(late(removed, ofRemoved), isAborted);
    assert.equal((await other.conversations.getTurns(removed.name)).length, 1);
  });
});
