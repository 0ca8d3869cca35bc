import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { fileErrorText } from "./file-error.ts";

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => assert.fail("nothing failed"),
    (error: unknown) => error,
  );

describe("the sentence of a file error", () => {
  it("names what cannot be done, the file and the reason", async () => {
    const missing = await errorOf(readFile("/nowhere/app.json"));
    assert.equal(fileErrorText(missing), "cannot open /nowhere/app.json: no such file or directory.");
    const below = await errorOf(mkdir(`${import.meta.filename}/folder`));
    assert.equal(fileErrorText(below), `cannot make ${import.meta.filename}/folder: not a directory.`);
    const denied = Object.assign(new Error("EACCES: permission denied, open 'app.json'"), {
      code: "EACCES",
      syscall: "open",
      path: "app.json",
    });
    assert.equal(fileErrorText(denied), "cannot open app.json: permission denied.");
  });

  it("leaves out a file that the system does not name", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    assert.equal(fileErrorText(full), "cannot write: no space left on device.");
  });

  it("is none of any other error", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { syscall: "connect" });
    for (const error of [refused, new TypeError("x is not a function"), "text"])
      assert.equal(fileErrorText(error), undefined);
  });
});
