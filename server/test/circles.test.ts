import assert from "node:assert/strict";
import { it } from "node:test";
import { circlesOf } from "./circles.ts";

it("finds circles of imports, and none in a tree", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["d"]],
    ["c", ["d"]],
    ["d", []],
    ["e", ["f"]],
    ["f", ["g", "a"]],
    ["g", ["e"]],
  ]);
  assert.deepEqual(circlesOf(graph), [["e", "f", "g"]]);
});
