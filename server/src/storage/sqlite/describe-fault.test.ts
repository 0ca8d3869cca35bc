import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StorageFault, type StorageFaultReason } from "../storage-fault.ts";
import { describeFault } from "./describe-fault.ts";

describe("what is said of a data folder's fault", () => {
  const cases: readonly [what: string, error: object, reason: StorageFaultReason, sentence: RegExp][] = [
    ["a read-only database", { errcode: 8 }, "READ_ONLY", /^'\/data' cannot be written by this user: /],
    ["a read-only file system", { code: "EROFS" }, "READ_ONLY", /^'\/data' cannot be written by this user: /],
    ["a full disk, told by SQLite", { errcode: 13 }, "FULL", /^The disk that holds '\/data' is full: /],
    ["a full disk, told by the system", { code: "ENOSPC" }, "FULL", /^The disk that holds '\/data' is full: /],
    ["a damaged file, by an extended code", { errcode: 779 }, "CORRUPT", /^'\/data' is damaged .*\(what SQLite said\)/],
    [
      "a statement that it does not take",
      { errcode: 1299 },
      "DEFECT",
      /^The database '\/data' did not take a statement: /,
    ],
    [
      "a value that cannot be bound",
      { code: "ERR_INVALID_ARG_TYPE" },
      "DEFECT",
      /^The database '\/data' did not take a/,
    ],
    [
      "an input or output error",
      { errcode: 1034 },
      "FAILED",
      /^The data in '\/data' cannot be read or written: what SQLite said\.$/,
    ],
  ];
  for (const [what, fields, reason, sentence] of cases) {
    it(`names the path of ${what}`, () => {
      const error = Object.assign(new Error("what SQLite said"), fields);
      const fault = describeFault(error, "/data");
      assert.deepEqual([fault.reason, fault.cause], [reason, error]);
      assert.match(fault.message, sentence);
    });
  }

  it("stays as it was said first", () => {
    const fault = new StorageFault("LOCKED", "in use");
    assert.equal(describeFault(fault, "/data"), fault);
  });
});
