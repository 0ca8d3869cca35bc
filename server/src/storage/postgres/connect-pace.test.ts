import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createConnectPace } from "./connect-pace.ts";

describe("the pace of connections, while an attempt after a failed one takes long", () => {
  it("fails who waits for it with what failed before", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const pace = createConnectPace();
    pace.fail(new Error("the network is silent"));
    const slow = Promise.withResolvers<void>();
    const trial = pace.enter(() => slow.promise);
    const waiting = pace.enter(async () => assert.fail("it connects"));
    t.mock.timers.tick(1_000);
    await assert.rejects(waiting, /the network is silent/);
    slow.resolve();
    await trial;
  });

  it("lets who waits for it connect when another connection was made meanwhile", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const pace = createConnectPace();
    const early = Promise.withResolvers<void>();
    const first = pace.enter(() => early.promise);
    pace.fail(new Error("the network is silent"));
    const slow = Promise.withResolvers<void>();
    const trial = pace.enter(() => slow.promise);
    let connected = 0;
    const waiting = pace.enter(async () => connected++);
    early.resolve();
    await first;
    t.mock.timers.tick(1_000);
    await waiting;
    assert.equal(connected, 1);
    slow.resolve();
    await trial;
  });
});
