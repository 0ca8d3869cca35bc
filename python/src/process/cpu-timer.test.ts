import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CpuTimer } from "./cpu-timer.ts";
import { processorTime } from "./processor-time.ts";

/** A timer over a process whose time the test sets. */
function timerOver(allowedMs: number) {
  const process = { time: 0 as number | undefined };
  const used = Promise.withResolvers<void>();
  let isUsed = false;
  const timer = new CpuTimer(
    allowedMs,
    () => process.time,
    () => {
      isUsed = true;
      used.resolve();
    },
  );
  return { process, timer, used: used.promise, isUsed: () => isUsed };
}

describe("the timer of processor time", () => {
  it("lets a process that gets little of the machine go on, and ends it when it used its time", async () => {
    const { process, timer, used, isUsed } = timerOver(100);
    timer.start();
    await pause(400);
    assert.equal(isUsed(), false);
    process.time = 200;
    await used;
  });

  it("does not count what is used while it is stopped", async () => {
    const { process, timer, used, isUsed } = timerOver(200);
    timer.start();
    await pause(60);
    timer.stop();
    process.time = 10_000;
    timer.start();
    await pause(200);
    assert.equal(isUsed(), false);
    process.time = 20_000;
    await used;
  });

  it("counts all of its stretches together", async () => {
    const { process, timer, used } = timerOver(300);
    for (let stretch = 0; stretch < 3; stretch++) {
      timer.start();
      await pause(70);
      process.time = (process.time ?? 0) + 70;
      timer.stop();
    }
    process.time = undefined;
    timer.start();
    await used;
  });

  it("lets code go on that waits for its host often, whatever passes between", async () => {
    const { process, timer, used, isUsed } = timerOver(100);
    for (let stretch = 1; stretch <= 10; stretch++) {
      timer.start();
      await pause(20);
      process.time = stretch;
      timer.stop();
    }
    timer.start();
    await pause(60);
    assert.equal(isUsed(), false);
    process.time = 200;
    await used;
  });

  it("goes by the time that passes where that of the process is not known", async () => {
    const { process, timer, used } = timerOver(100);
    process.time = undefined;
    timer.start();
    await used;
  });
});

describe("the processor time of a process", { skip: process.platform !== "linux" && "only Linux tells it" }, () => {
  it("is its own and that of what it started, and not known when it is gone", async () => {
    const child = spawn("sh", ["-c", 'sh -c "while :; do :; done" & wait'], { detached: true, stdio: "ignore" });
    const pid = child.pid ?? 0;
    while ((processorTime(pid) ?? 0) < 50) await pause(10);
    process.kill(-pid, "SIGKILL");
    await once(child, "exit");
    assert.equal(processorTime(pid), undefined);
  });
});
