import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAddressPool } from "./address-pool.ts";

/** A pool whose address and log the test has in hand. */
function poolOf(first: string) {
  const log: string[] = [];
  const place = { address: first };
  const pool = createAddressPool({
    address: () => place.address,
    open: async (address) => {
      log.push(`open ${address}`);
      if (address === "broken") throw new Error("no driver");
      return address;
    },
    end: async (address) => void log.push(`end ${address}`),
  });
  return { pool, log, place, used: () => pool.use(async (opened) => opened) };
}

describe("the pool of an address", () => {
  it("is opened for the first use, and kept while the address is the same", async () => {
    const { pool, log, used } = poolOf("a");
    assert.deepEqual(log, []);
    assert.deepEqual([await used(), await used()], ["a", "a"]);
    await pool.close();
    assert.deepEqual(log, ["open a", "end a"]);
  });

  it("is another one when the address changed, and the old one ends when its last use has", async () => {
    const { pool, log, place, used } = poolOf("a");
    const running = Promise.withResolvers<void>();
    const use = pool.use(() => running.promise);
    place.address = "b";
    assert.equal(await used(), "b");
    assert.deepEqual(log, ["open a", "open b"]);
    running.resolve();
    await use;
    await new Promise(setImmediate);
    assert.deepEqual(log, ["open a", "open b", "end a"]);
  });

  it("that could not be opened is tried again", async () => {
    const { log, used } = poolOf("broken");
    await assert.rejects(used(), /no driver/);
    await assert.rejects(used(), /no driver/);
    assert.deepEqual(log, ["open broken", "open broken"]);
  });
});
