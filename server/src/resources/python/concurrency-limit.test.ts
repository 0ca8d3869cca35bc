import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limitConcurrency } from "./concurrency-limit.ts";

describe("limitConcurrency", () => {
  it("runs no more than the limit at once, in order, and goes on after a failure", async () => {
    const limited = limitConcurrency(2);
    const log: string[] = [];
    let running = 0;
    const work = (name: string) =>
      limited(async () => {
        running += 1;
        assert.ok(running <= 2);
        log.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (name === "b") throw new Error("b failed");
        return name;
      });
    const results = await Promise.allSettled(["a", "b", "c", "d", "e"].map(work));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"],
    );
    assert.deepEqual(log, ["a", "b", "c", "d", "e"]);
  });

  it("lets other calls run while twenty thousand pieces wait whose work is done at once", async () => {
    const limited = limitConcurrency(4);
    const pieces = Promise.all(Array.from({ length: 20_000 }, (_, at) => limited(async () => at)));
    let served = 0;
    let ended = false;
    const serve = () => {
      served += 1;
      if (!ended) setImmediate(serve);
    };
    setImmediate(serve);
    assert.equal((await pieces).at(-1), 19_999);
    ended = true;
    assert.ok(served > 1, `${served} other calls were served`);
  });
});
