import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ToolOutcome } from "#tools";
import { DeferredCalls } from "./deferred-calls.ts";
import type { SharedOutcomes } from "./shared-outcomes.ts";

const outcomeOf = (characters: number) =>
  ({ kind: "succeeded", response: { result: "r".repeat(characters) } }) as unknown as ToolOutcome;

/** Calls of one session each that end in this order, each with as many characters. */
async function endedCalls(calls: DeferredCalls, characters: Readonly<Record<string, number>>): Promise<void> {
  for (const [session, length] of Object.entries(characters)) {
    const { promise, resolve } = Promise.withResolvers<void>();
    calls.subscribe(session, resolve);
    calls.start(session, "c-1", new AbortController(), Promise.resolve(outcomeOf(length)));
    await promise;
  }
}

const kept = async (calls: DeferredCalls, session: string) =>
  (await calls.outcomeOf(session, { id: "c-1" } as never)) !== "lost";

describe("outcomes that no turn has asked for (TOOL-64)", () => {
  it("are those that ended last whose JSON has room together", async () => {
    const calls = new DeferredCalls({ mostBytes: 1_000 });
    await endedCalls(calls, { one: 400, two: 400, three: 400 });
    assert.deepEqual(
      [await kept(calls, "one"), await kept(calls, "two"), await kept(calls, "three")],
      [false, true, true],
    );
    calls.forget("two", "c-1");
    await endedCalls(calls, { four: 400 });
    assert.deepEqual([await kept(calls, "three"), await kept(calls, "four")], [true, true]);
  });

  it("make no room for themselves by calls that still run", async () => {
    const calls = new DeferredCalls({ mostBytes: 1_000 });
    calls.start("running", "c-1", new AbortController(), new Promise(() => {}));
    await endedCalls(calls, { one: 800, two: 800 });
    assert.equal(await calls.outcomeOf("running", { id: "c-1" } as never), "running");
  });

  it("are a failure that says so when one alone has no room", async () => {
    const calls = new DeferredCalls({ mostBytes: 1_000 });
    await endedCalls(calls, { large: 2_000 });
    assert.ok(calls.take("large"));
    const outcome = await calls.outcomeOf("large", { id: "c-1" } as never);
    assert.match(JSON.stringify(outcome), /characters, and there is room for 1000/);
  });
});

describe("calls that run when the server stops (TOOL-65)", () => {
  it("are stopped, counted, and stored as failed, so that other servers tell of them at once", async () => {
    const stored: unknown[] = [];
    const shared: SharedOutcomes = {
      server: "one",
      put: async (session, id, { kind }) => void stored.push([session, id, kind]),
      outcomeOf: async () => "lost",
      remove: async () => {},
      onPut: () => {},
    };
    const calls = new DeferredCalls({ shared });
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<ToolOutcome>();
    calls.start("running", "c-1", stop, promise);
    assert.equal(await calls.close(), 1);
    assert.deepEqual([stored, stop.signal.aborted], [[["running", "c-1", "failed"]], true]);
    // What it answers all the same comes too late: the session is told that it failed.
    resolve(outcomeOf(1));
    await calls.drained();
    assert.equal(stored.length, 1);
  });
});
