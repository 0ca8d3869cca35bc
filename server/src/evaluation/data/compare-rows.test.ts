import assert from "node:assert/strict";
import { it } from "node:test";
import { comparableText } from "./compare-rows.ts";

it("cells are compared as numbers where they are written as some", () => {
  assert.deepEqual(["1.50", ".5", "5.", "1e3", "-0.25", "1.2.3", "."].map(comparableText), [
    ...["1.5", "0.5", "5", "1000", "-0.25"],
    ...["1.2.3", "."],
  ]);
});

it("a cell with a million digits stops nobody (WIRE-79)", { timeout: 60_000 }, () => {
  assert.equal(comparableText(`${"1".repeat(1_000_000)}x`).length, 1_000_001);
});
