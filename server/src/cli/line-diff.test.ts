import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lineDiff } from "./line-diff.ts";

describe("a difference in lines", () => {
  it("shows what changed between three lines of what did not", () => {
    assert.deepEqual(lineDiff("a\nb\nc\nd\nold\nx\n", "a\nb\nc\nd\nnew\nmore\nx\n"), [
      "  b",
      "  c",
      "  d",
      "- old",
      "+ new",
      "+ more",
      "  x",
    ]);
  });

  it("shows one side alone when the other has nothing", () => {
    assert.deepEqual([lineDiff("a\n", ""), lineDiff("", "b")], [["- a"], ["+ b"]]);
  });
});
