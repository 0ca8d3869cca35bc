import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
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
