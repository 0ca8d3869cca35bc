import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger, systemClock } from "#base";
import { type JobQueues, openStorage, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { createDelivery } from "../../src/app/exports/delivery.ts";
import type { Send } from "../../src/app/exports/senders.ts";
import { createMetrics } from "../../src/app/metrics/metrics.ts";
import { head, turn } from "../storage/rows.ts";

const logger = createLogger("silent");

describe("jobs that servers share, when something goes wrong (DB-55)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  const open = (log = logger): Promise<Storage> =>
    openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger: log });

  it("come back when they are due by the database, whose clock is behind that of the server (DB-63)", async (t) => {
    const storage = await open();
    const now = Date.now;
    t.mock.method(Date, "now", () => now() + 3_000);
    const times: number[] = [];
    await work(storage, "skewed", async ({ again }) => {
      times.push(performance.now());
      if (times.length > 1) return "done";
      await again("The model is away.");
      return "again";
    }).then((queue) => queue.add("a"));
    while (times.length < 2) await delay(20);
    await storage.close();
    const [first = 0, second = 0] = times;
    // The next look at a queue of which nobody says anything comes after thirty seconds.
    assert.ok(second - first < 20_000, `${second - first} ms`);
  });

  it("leave rows of exports to the other servers when a server stops in the middle of a delivery (DB-64)", async () => {
    const [one, two] = [await open(), await open()];
    const rows = [{ destination: "service/one", createTime: 0, body: "{}" }];
    await one.conversations.appendTurn(head("apps/a", "c", 1), turn(1), rows);
    const sending = Promise.withResolvers<void>();
    const stopped = await deliver(one, (_, signal) => {
      sending.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    stopped.wake();
    await sending.promise;
    const other = await deliver(two, async () => new Map());
    await stopped.close();
    await one.close();
    while ((await two.exports.destinations()).length > 0) await delay(50);
    await other.close();
    await two.close();
  });

  it("say of an outage what it is, and not for each job", async () => {
    const lines: string[] = [];
    const storage = await open(recordingLogger(lines));
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const queue = await work(storage, "outage", async () => {
      begun += 1;
      await gate.promise;
      await storage.operations.get("one");
      return "done";
    });
    await Promise.all(Array.from({ length: 20 }, (_, at) => queue.add(String(at))));
    while (begun < 20) await delay(20);
    await postgres.stop();
    gate.resolve();
    await delay(5_000);
    assert.deepEqual(
      lines.filter((line) => /a job failed/.test(line)),
      [],
    );
    await storage.close();
  });

  function work(storage: Storage, name: string, run: Parameters<JobQueues["open"]>[0]["run"]) {
    return storage.jobs.open({ name, concurrency: 20, firstPauseMs: 1_000, longestPauseMs: 60_000, run });
  }

  function deliver(storage: Storage, send: Send) {
    const metrics = createMetrics({ isReady: async () => true, guests: () => 0 });
    const { exports: store, jobs } = storage;
    return createDelivery({ store, jobs, metrics, clock: systemClock, logger, senderOf: () => send, delayMs: 0 });
  }
});

function recordingLogger(lines: string[]) {
  const note = (_: object, message: string) => void lines.push(message);
  return Object.assign(createLogger("silent"), { error: note, warn: note });
}
