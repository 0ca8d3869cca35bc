import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Deadline } from "./deadline.ts";

describe("the CPU time of a run", () => {
  const clock = { now: 0, cpu: 0 };
  const deadline = new Deadline({ now: () => clock.now, cpu: () => clock.cpu });
  const pass = (now: number, cpu: number) => {
    clock.now += now;
    clock.cpu += cpu;
  };

  it("ends the run when it is used up, and not because the machine was busy with others", () => {
    deadline.start(100);
    pass(101, 30);
    assert.equal(deadline.check(), 101);
    pass(60, 60);
    assert.equal(deadline.check(), 161);
    pass(11, 11);
    assert.throws(() => deadline.check(), { kind: "timeout", message: "the code used its 100 ms of CPU time" });
  });

  it("counts from the rest before it where there was one, and from its start the next time", () => {
    deadline.rest();
    deadline.start(100);
    pass(101, 60);
    deadline.check();
    deadline.start(100); // of the same turn: nothing rested in between
    pass(101, 60);
    deadline.check();
    pass(41, 40);
    assert.throws(() => deadline.check(), { kind: "timeout" });
  });

  it("stands still while the host answers", () => {
    deadline.start(100);
    deadline.pauseWhile(() => pass(5_000, 500));
    pass(99, 0);
    deadline.check();
    deadline.end();
    pass(99_999, 99_999);
    deadline.check();
  });
});
