import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setDetectors } from "./detectors.ts";

describe("the traps around the sandbox", () => {
  it("stay silent while nothing happens", async () => {
    await using detectors = await setDetectors();
    assert.deepEqual(detectors.findings({ kind: "returned" }), []);
  });

  it("go off when the host's secret is told, its files are changed or its listener is reached", async () => {
    await using detectors = await setDetectors();
    const { file, shared, port } = detectors.target;
    assert.deepEqual(detectors.findings(process.env.FRONTDESK_ATTACK_SECRET), ["a secret of the host was told"]);
    await once(connect(port, "127.0.0.1").resume(), "close");
    assert.deepEqual(detectors.findings(""), ["1 connections to the host"]);
    writeFileSync(shared, "changed");
    writeFileSync(join(dirname(file), "made"), "");
    assert.deepEqual(detectors.findings(""), [`${shared} was changed`, "files were made: made"]);
  });

  it("go off when objects are polluted or the server pauses", async () => {
    await using detectors = await setDetectors();
    Object.defineProperty(Object.prototype, "polluted", { value: 1, configurable: true });
    try {
      assert.deepEqual(detectors.findings(""), ["the server's objects were polluted: polluted"]);
    } finally {
      Reflect.deleteProperty(Object.prototype, "polluted");
    }
    await delay(50);
    const until = Date.now() + 1_700;
    while (Date.now() < until);
    await delay(50);
    assert.match(detectors.findings("").join(), /^the server paused for \d+ ms$/);
  });

  it("go off when a child starts a child", { skip: process.platform !== "linux" }, async () => {
    await using detectors = await setDetectors();
    const child = spawn("/bin/sh", ["-c", "sleep 30; true"], { stdio: "ignore" });
    try {
      let found = "";
      while (found === "") {
        await delay(20);
        found = detectors.findings("").join();
      }
      // Until it runs its program, it has the name of the shell.
      assert.match(found, /^process \d+ was started: (?:sleep|sh)/);
    } finally {
      spawn("/bin/sh", ["-c", `kill $(cat /proc/${child.pid}/task/${child.pid}/children) ${child.pid}`]);
      await once(child, "exit");
    }
  });
});
