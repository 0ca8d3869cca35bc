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

  it("is looked at in some of the polls that follow fast on each other, and in each as soon as one took long", () => {
    let looks = 0;
    const time = { now: 0 };
    const polled = new Deadline({
      now: () => {
        looks++;
        return time.now;
      },
      cpu: () => time.now,
    });
    const poll = (times: number, apart: number) => {
      looks = 0;
      for (let count = 0; count < times; count++) {
        time.now += apart;
        polled.poll();
      }
      return looks;
    };
    polled.start(100);
    poll(100, 0.001);
    assert.equal(poll(800, 0.001), 100); // one of eight
    poll(8, 1); // the first look after the change
    assert.equal(poll(50, 1), 50);
    assert.throws(() => poll(50, 1), { kind: "timeout" });
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
