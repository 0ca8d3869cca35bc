import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ToolOutcome } from "#tools";
import { DeferredCalls } from "./deferred-calls.ts";

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
