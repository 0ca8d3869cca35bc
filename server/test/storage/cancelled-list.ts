import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Storage } from "#storage";
import { head } from "./rows.ts";

/** Statements of servers that wait for a lock. */
const WAITING = "select 1 from pg_stat_activity where application_name = 'frontdesk' and wait_event_type = 'Lock'";

/** Holds up every list of conversations while `work` runs, which gets what counts the lists that wait in the database. */
export async function holdingLists(url: string, work: (waiting: () => Promise<number>) => Promise<void>) {
  const [holder, watcher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query("begin; lock table conversations in access exclusive mode");
    await work(async () => (await watcher.query(WAITING)).rows.length);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

/** Asserts that the database itself ends a list that nobody waits for any more, long before the time limit of lists does. `url`: of the database. */
export async function assertCancelledInDatabase({ conversations }: Storage, url: string): Promise<void> {
  await holdingLists(url, async (waiting) => {
    const stop = new AbortController();
    const query = { app: head("apps/listed", "any", 1).app, sources: [], limit: 10 };
    const listed = assert.rejects(conversations.list(query, stop.signal), /nobody waits/);
    while ((await waiting()) === 0) await delay(20);
    const begun = performance.now();
    stop.abort(new Error("nobody waits"));
    while ((await waiting()) > 0) await delay(20);
    const took = performance.now() - begun;
    assert.ok(took < 4_000, `the list went on for ${Math.round(took)} ms`);
    await listed;
  });
}
