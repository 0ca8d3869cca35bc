import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { PROGRAM } from "../program.ts";

describe("a command whose output nobody reads", () => {
  it("ends without a word, as programs do that a closed pipe stops", async () => {
    const words = ["--disable-warning=ExperimentalWarning", PROGRAM, "help"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [[code], errors] = await Promise.all([once(child, "exit"), text(child.stderr)]);
    assert.deepEqual({ code, errors }, { code: 141, errors: "" });
  });
});

describe("a command whose output cannot be written", () => {
  const skip = existsSync("/dev/full") ? false : "there is no /dev/full";
  it("says why in one sentence, and fails with its exit code", { skip }, () => {
    const full = openSync("/dev/full", "w");
    try {
      for (const [words, code] of [
        [["help"], 1],
        [["lint", "--help"], 2],
      ] as const) {
        const program = ["--disable-warning=ExperimentalWarning", PROGRAM, ...words];
        const { status, stderr } = spawnSync(process.execPath, program, { stdio: ["ignore", full, "pipe"] });
        const expected = "frontdesk: the output is not whole: cannot write: no space left on device.\n";
        assert.deepEqual([status, stderr.toString()], [code, expected]);
      }
    } finally {
      closeSync(full);
    }
  });
});
