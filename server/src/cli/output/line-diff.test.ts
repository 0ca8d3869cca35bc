import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lineDiff } from "./line-diff.ts";

describe("a difference in lines", () => {
  it("shows changes with three lines of context", () => {
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

  it("shows one side only when the other is empty", () => {
    assert.deepEqual([lineDiff("a\n", ""), lineDiff("", "b")], [["- a"], ["+ b"]]);
  });
});
