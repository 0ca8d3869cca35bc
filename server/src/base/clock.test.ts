import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSystemClock, systemClock } from "./clock.ts";

/** A clock over sources that a test sets: `setBy` moves the machine's clock, `pass` lets time pass. */
function testClock() {
  let running = 0;
  let difference = 1_000_000;
  const clock = createSystemClock({ wall: () => Math.floor(running + difference), running: () => running });
  return {
    ...clock,
    pass: (milliseconds: number) => {
      running += milliseconds;
    },
    setBy: (milliseconds: number) => {
      difference += milliseconds;
    },
  };
}

describe("the machine's clock", () => {
  it("has the time of the machine, with a fraction that never runs backwards", () => {
    const times = Array.from({ length: 10_000 }, () => systemClock.now());
    assert.deepEqual(
      times,
      times.toSorted((left, right) => left - right),
    );
    assert.ok(times.some((time) => !Number.isInteger(time)));
    assert.ok(Math.abs(systemClock.now() - Date.now()) < 100);
  });

  it("follows a clock that is set, forwards and backwards", () => {
    const clock = testClock();
    clock.setBy(3_600_000);
    assert.equal(clock.now(), 4_600_000);
    clock.pass(0.25);
    assert.equal(clock.now(), 4_600_000.25);
    clock.setBy(-7_200_000);
    clock.pass(0.75);
    assert.equal(clock.now(), -2_599_999);
  });

  it("stands still while a clock that went back a little catches up", () => {
    const clock = testClock();
    assert.equal(clock.now(), 1_000_000);
    clock.setBy(-500);
    clock.pass(100);
    assert.equal(clock.now(), 1_000_000);
    clock.pass(500);
    assert.equal(clock.now(), 1_000_100);
  });

  it("takes no pause between two reads for a clock that was set", () => {
    let running = 0;
    let heldUp = 0;
    const wall = () => {
      running += heldUp;
      heldUp = 0;
      return Math.floor(running);
    };
    const clock = createSystemClock({ wall, running: () => running });
    running = 5;
    heldUp = 5_000;
    assert.equal(clock.now(), 5_005);
    assert.equal(clock.now(), 5_005);
  });
});
