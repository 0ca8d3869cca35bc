import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTextThreads } from "./text-threads.ts";

describe("the threads for long texts", () => {
  it("serve the apps that wait in turns, and each app's texts in order (GUARD-27)", async () => {
    const started: string[] = [];
    const running: (() => void)[] = [];
    const threads = createTextThreads((job) => {
      if (job.kind === "redact") started.push(...job.texts);
      return new Promise((resolve) => running.push(() => resolve(undefined)));
    });
    const waiting = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"].map((text) =>
      threads.forApp(text.slice(0, 1)).redact({}, [text]),
    );
    while (started.length < waiting.length) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(started, ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
    for (const finish of running) finish();
    await Promise.all(waiting);
  });
});
