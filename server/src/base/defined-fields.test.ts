import assert from "node:assert/strict";
import { it } from "node:test";
import { definedFields, nonEmptyFields } from "./defined-fields.ts";

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

it("nonEmptyFields also drops null, empty text, zero and false, but no empty list or object", () => {
  const fields = { a: undefined, b: null, c: "", d: 0, e: false, f: [], g: {}, h: "text" };
  assert.deepEqual(Object.entries(nonEmptyFields(fields)), [
    ["f", []],
    ["g", {}],
    ["h", "text"],
  ]);
});
