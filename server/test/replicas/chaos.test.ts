import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutPostgres } from "#testing";
import { violationsOf } from "./chaos/history.ts";
import { runChaos } from "./chaos/run-chaos.ts";

describe("three servers over one database, while they are killed, frozen, cut off and restarted", {
  skip: withoutPostgres(),
}, () => {
  it("store every answered turn once and in order, and no other, while two clients talk in each session (DB-4, DB-6, DB-53)", async () => {
    const size = { sessions: 6, clients: 2, turns: 100 };
    const { answered, faults, violations } = await runChaos({ ...size, rounds: 1, pauseMs: 300 });
    assert.deepEqual(violations, []);
    assert.ok(answered >= 100);
    assert.equal(Object.values(faults).reduce((sum, count) => sum + count, 0) % 8, 0);
  });
});

describe("the checker of histories", () => {
  const [one, other] = [
    { sent: ["a", "b", "c", "d"], answered: ["a", "c", "d"] },
    { sent: ["1", "2"], answered: ["1", "2"] },
  ];
  const history = { session: "s", clients: [one, other] };

  it("accepts turns whose answers were lost, stored or not", () => {
    assert.deepEqual(violationsOf(history, ["a", "1", "c", "d", "2"]), []);
    assert.deepEqual(violationsOf(history, ["1", "2", "a", "b", "c", "d"]), []);
  });

  for (const [what, stored] of [
    ["is missing", ["a", "1", "2", "c"]],
    ["is doubled", ["a", "1", "2", "c", "c", "d"]],
    ["is out of order", ["1", "2", "a", "d", "c"]],
    ["of another client is out of order", ["2", "a", "1", "c", "d"]],
    ["was never sent", ["a", "1", "2", "c", "d", "e"]],
  ] as const)
    it(`finds a turn that ${what}`, () => {
      assert.equal(violationsOf(history, stored).length > 0, true);
    });
});
