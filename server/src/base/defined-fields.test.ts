import assert from "node:assert/strict";
import { it } from "node:test";
import { definedFields } from "./defined-fields.ts";

it("definedFields drops undefined fields and nothing else", () => {
  const fields = { a: undefined, b: null, c: "", d: 0, e: false, f: [undefined] };
  assert.deepEqual(Object.entries(definedFields(fields)), [
    ["b", null],
    ["c", ""],
    ["d", 0],
    ["e", false],
    ["f", [undefined]],
  ]);
});
