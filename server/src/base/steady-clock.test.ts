import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { steadyClock } from "./steady-clock.ts";

describe("steadyClock (AUTH-24)", () => {
  it("runs as its clock does, and goes on where that is set back", () => {
    let time = 1_000;
    const clock = steadyClock({ now: () => time });
    const seen = [10, 500, -3_600_000, 20, -5, 100].map((step) => {
      time += step;
      return clock.now();
    });
    assert.deepEqual(seen, [1_010, 1_510, 1_510, 1_530, 1_530, 1_630]);
  });

  it("follows its clock forward, whatever the step", () => {
    let time = 0;
    const clock = steadyClock({ now: () => time });
    time = 86_400_000;
    assert.equal(clock.now(), 86_400_000);
  });
});
