import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadAhead } from "./read-ahead.ts";

describe("a stream that is read ahead", () => {
  it("returns all items that arrived since the last take", async () => {
    const gate = Promise.withResolvers<void>();
    const ahead = new ReadAhead(
      (async function* () {
        yield 1;
        yield 2;
        await gate.promise;
        yield 3;
      })(),
    );
    await new Promise(setImmediate);
    assert.deepEqual(await ahead.take(), [1, 2]);
    const next = ahead.take();
    gate.resolve();
    assert.deepEqual(await next, [3]);
    assert.deepEqual(await ahead.take(), []);
  });

  it("fails after its last item, and returns the rest without failing", async () => {
    const failing = () =>
      new ReadAhead(
        (async function* () {
          yield 1;
          throw new Error("broken");
        })(),
      );
    const taken = failing();
    assert.deepEqual(await taken.take(), [1]);
    await assert.rejects(taken.take(), /broken/);
    assert.deepEqual(await failing().rest(), [1]);
  });
});
