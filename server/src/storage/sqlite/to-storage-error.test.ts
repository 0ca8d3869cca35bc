import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StorageError, type StorageErrorReason } from "../errors.ts";
import { toStorageError } from "./to-storage-error.ts";

describe("the storage error of a data folder", () => {
  const cases: readonly [what: string, error: object, reason: StorageErrorReason, sentence: RegExp][] = [
    ["a read-only database", { errcode: 8 }, "READ_ONLY", /^'\/data' cannot be written by this user: /],
    ["a read-only file system", { code: "EROFS" }, "READ_ONLY", /^'\/data' cannot be written by this user: /],
    ["a full disk, reported by SQLite", { errcode: 13 }, "FULL", /^The disk that holds '\/data' is full: /],
    ["a full disk, reported by the system", { code: "ENOSPC" }, "FULL", /^The disk that holds '\/data' is full: /],
    [
      "a damaged file, by an extended code",
      { errcode: 779 },
      "CORRUPT",
      /^'\/data' is damaged .*\(the message of SQLite\)/,
    ],
    ["a statement that SQLite rejects", { errcode: 1299 }, "DEFECT", /^The database '\/data' rejected a statement: /],
    ["a value that cannot be bound", { code: "ERR_INVALID_ARG_TYPE" }, "DEFECT", /^The database '\/data' rejected a/],
    [
      "an input or output error",
      { errcode: 1034 },
      "FAILED",
      /^The data in '\/data' cannot be read or written: the message of SQLite\.$/,
    ],
  ];
  for (const [what, fields, reason, sentence] of cases) {
    it(`names the path of ${what}`, () => {
      const error = Object.assign(new Error("the message of SQLite"), fields);
      const storageError = toStorageError(error, "/data");
      assert.deepEqual([storageError.reason, storageError.cause], [reason, error]);
      assert.match(storageError.message, sentence);
    });
  }

  it("is returned as it is when it is one already", () => {
    const storageError = new StorageError("LOCKED", "in use");
    assert.equal(toStorageError(storageError, "/data"), storageError);
  });
});
