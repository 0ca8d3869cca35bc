import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { shellWord } from "./shell-word.ts";

describe("a word of a command line to copy", () => {
  it("is read by a shell as it was", () => {
    for (const text of ["my-app", "my app ü", "it's", "$(id)", "a;b", "*", ""])
      assert.equal(execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`]).toString(), text);
  });

  it("has no quotes where it needs none", () => {
    for (const text of ["my-app", "./apps/my_app.v2", "tür"]) assert.equal(shellWord(text), text);
  });
});
