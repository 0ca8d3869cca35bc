import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createLogger } from "#base";
import { unavailable } from "#status";
import { untilDone } from "./until-done.ts";

/** A logger that keeps its lines. */
function keepingLogger() {
  const lines: object[] = [];
  const logger = createLogger("silent");
  const warn = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { lines, logger: Object.assign(Object.create(logger), { warn }) };
}

describe("work of a start", () => {
  it("is tried again when it failed, and lets the start go on after the first attempt", async () => {
    const { lines, logger } = keepingLogger();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    let attempts = 0;
    const run = async () => {
      attempts += 1;
      if (attempts === 1) throw unavailable("The database is away.");
      resolve();
    };
    const work = untilDone({ name: "the example", run }, logger);
    await work.tried;
    assert.equal(attempts, 1);
    // The pause keeps no process alive.
    const alive = setInterval(() => {}, 1_000);
    await done;
    clearInterval(alive);
    await work.stop();
    assert.equal(attempts, 2);
    assert.deepEqual(lines, [{ reason: "The database is away.", message: "the example failed; it is tried again" }]);
  });

  it("is not tried again after a stop", async () => {
    const { logger } = keepingLogger();
    let attempts = 0;
    const run = async () => {
      attempts += 1;
      throw new Error("full");
    };
    const work = untilDone({ name: "the example", run }, logger);
    await work.tried;
    await work.stop();
    assert.equal(attempts, 1);
  });

  it("says what it failed of: a refusal by its words, anything else by the error", async () => {
    const { lines, logger } = keepingLogger();
    const broken = new Error("undefined is not a function");
    const work = untilDone({ name: "the example", run: () => Promise.reject(broken) }, logger);
    await work.tried;
    await work.stop();
    assert.deepEqual(lines, [{ err: broken, message: "the example failed; it is tried again" }]);
  });

  it("is over when a stop resolves, and what fails of it then is not told", async () => {
    const { lines, logger } = keepingLogger();
    const { promise: refused, reject } = Promise.withResolvers<void>();
    const work = untilDone({ name: "the example", run: () => refused }, logger);
    let stopped = false;
    const stop = work.stop().then(() => {
      stopped = true;
    });
    await setImmediate();
    assert.equal(stopped, false);
    reject(unavailable("The database is closed."));
    await stop;
    assert.deepEqual(lines, []);
  });

  it("does not keep the process while it waits for the next attempt", async () => {
    const { logger } = keepingLogger();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    const work = untilDone({ name: "the example", run: () => Promise.reject(unavailable("Away.")) }, logger);
    await work.tried;
    await setImmediate();
    assert.ok(timers() <= before);
    await work.stop();
  });
});
