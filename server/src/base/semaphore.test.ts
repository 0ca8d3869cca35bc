import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { Semaphore } from "./semaphore.ts";

it("places are taken in order, and handed over", async () => {
  const semaphore = new Semaphore(1);
  const leave = await semaphore.acquire();
  const order: string[] = [];
  const second = semaphore.acquire().then((leaveSecond) => {
    order.push("second");
    return leaveSecond;
  });
  leave();
  const third = semaphore.acquire().then(() => order.push("third"));
  (await second)();
  await third;
  assert.deepEqual(order, ["second", "third"]);
});

it("who gives up takes no place", async () => {
  const semaphore = new Semaphore(1);
  const leave = await semaphore.acquire();
  const stop = new AbortController();
  const given = semaphore.acquire(stop.signal);
  const next = semaphore.acquire();
  stop.abort(new Error("hung up"));
  await assert.rejects(given, /hung up/);
  await assert.rejects(semaphore.acquire(stop.signal), /hung up/);
  leave();
  (await next)();
  await tick();
  await semaphore.acquire(AbortSignal.timeout(1_000));
});
