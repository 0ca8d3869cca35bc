import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutPostgres } from "#testing";
import { violationsOf } from "./chaos/history.ts";
import { runChaos } from "./chaos/run-chaos.ts";

describe("three servers over one database, while they are killed, frozen, cut off and restarted", {
  skip: withoutPostgres(),
}, () => {
  it("store every answered turn once and in order, and no other (DB-4, DB-6)", async () => {
    const { answered, faults, violations } = await runChaos({ sessions: 12, turns: 100, rounds: 1, pauseMs: 300 });
    assert.deepEqual(violations, []);
    assert.ok(answered >= 100);
    assert.equal(Object.values(faults).reduce((sum, count) => sum + count, 0) % 8, 0);
  });
});

describe("the checker of histories", () => {
  const history = { session: "s", sent: ["a", "b", "c", "d"], answered: ["a", "c", "d"] };

  it("accepts turns whose answers were lost, stored or not", () => {
    assert.deepEqual(violationsOf(history, ["a", "c", "d"]), []);
    assert.deepEqual(violationsOf(history, ["a", "b", "c", "d"]), []);
  });

  for (const [what, stored] of [
    ["is missing", ["a", "c"]],
    ["is doubled", ["a", "c", "c", "d"]],
    ["is out of order", ["a", "d", "c"]],
    ["was never sent", ["a", "c", "d", "e"]],
  ] as const)
    it(`finds a turn that ${what}`, () => {
      assert.equal(violationsOf(history, stored).length > 0, true);
    });
});
