import assert from "node:assert/strict";
import { it } from "node:test";
import { valuesAt } from "./json-path.ts";

const VALUE = { result: { items: [{ id: 1 }, { id: 2 }], "a b": "x", none: null }, id: 3 };

const ROWS: readonly (readonly [path: string, found: readonly unknown[] | undefined])[] = [
  ["$", [VALUE]],
  ["$.result.items[1].id", [2]],
  ["result.items[0].id", [1]],
  ["$.result.items[*].id", [1, 2]],
  ["$.result['a b']", ["x"]],
  ["$..id", [3, 1, 2]],
  ["$.result.none", [null]],
  ["$.result.items[7]", []],
  ["$.result.toString", []],
  ["$.result.items[?(@.id > 1)]", undefined],
  ["$.result.items[0:1]", undefined],
];

for (const [path, found] of ROWS) {
  it(`finds ${JSON.stringify(found)} at ${path}`, () => assert.deepEqual(valuesAt(VALUE, path), found));
}
