import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { createLogger, type Logger } from "#base";
import { unavailable } from "#status";
import { repeat } from "./repeat.ts";

const logger = createLogger("silent");

describe("a repeated job", () => {
  it("runs after its interval and a random part of a fifth, and again although a run failed", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const run = mock.fn(async (_signal: AbortSignal) => Promise.reject(new Error("full")));
    const job = repeat({ name: "test", everyMs: 1_000, run }, logger, () => 0.5);
    context.mock.timers.tick(1_099);
    assert.equal(run.mock.callCount(), 0);
    context.mock.timers.tick(1);
    assert.equal(run.mock.callCount(), 1);
    await new Promise((resolve) => setImmediate(resolve));
    context.mock.timers.tick(1_100);
    assert.equal(run.mock.callCount(), 2);
    await job.stop();
  });

  it("may run for the first time sooner", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const run = mock.fn(async () => {});
    const job = repeat({ name: "test", everyMs: 1_000, firstMs: 100, run }, logger, () => 0);
    const runsAfter = async (ms: number) => {
      context.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
      return run.mock.callCount();
    };
    assert.deepEqual([await runsAfter(100), await runsAfter(999), await runsAfter(1)], [1, 1, 2]);
    await job.stop();
  });

  it("logs a reason once, however often it fails for it, and that it works again (DB-10)", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const lines: string[] = [];
    const log = {
      ...logger,
      error: (_: object, text: string) => lines.push(text),
      info: (text: string) => lines.push(text),
    };
    const reasons = ["away", "away", "full", undefined, undefined, "away"];
    const run = async () => {
      const reason = reasons.shift();
      if (reason !== undefined) throw unavailable(reason);
    };
    const job = repeat({ name: "work", everyMs: 1_000, run }, log as unknown as Logger, () => 0);
    while (reasons.length > 0) {
      context.mock.timers.tick(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await job.stop();
    assert.deepEqual(lines, ["work failed", "work failed", "work works again", "work failed"]);
  });

  it("stops after the current run, whose signal is aborted", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const steps: string[] = [];
    const run = async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      steps.push("run ended");
    };
    const job = repeat({ name: "test", everyMs: 1_000, run }, logger, () => 0);
    context.mock.timers.tick(1_000);
    await job.stop();
    steps.push("stopped");
    context.mock.timers.tick(10_000);
    assert.deepEqual(steps, ["run ended", "stopped"]);
  });
});
