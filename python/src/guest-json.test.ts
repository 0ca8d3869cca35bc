import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseGuestJson, positionOf, textOf } from "./guest-json.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("JSON of a guest", () => {
  it("is read as it is, whatever its keys are called", () => {
    const read = parseGuestJson('{"__proto__":{"a":[1.5,null,true]},"toString":"x"}');
    assert.ok("value" in read);
    assert.deepEqual(Object.entries(read.value ?? {}), [
      ["__proto__", { a: [1.5, null, true] }],
      ["toString", "x"],
    ]);
  });

  it("is refused when it cannot be carried", () => {
    assert.deepEqual(parseGuestJson("{"), { problem: "is not JSON" });
    assert.deepEqual(parseGuestJson("NaN"), { problem: "is not JSON" });
    assert.deepEqual(parseGuestJson('{"a":[1e999]}'), { problem: "holds a number beyond 1.8e308" });
    assert.deepEqual(parseGuestJson(nested(500_000)), { problem: "is nested more than 40 deep" });
    assert.deepEqual(Object.keys(parseGuestJson(nested(40))), ["value"]);
    const long = JSON.stringify(Array.from({ length: 20_000 }, () => ({ text: 'no bracket: "[{\\' })));
    assert.deepEqual(Object.keys(parseGuestJson(long)), ["value"]);
  });
});

describe("a value of a guest", () => {
  it("is never converted, because its methods may be data", () => {
    const hostile = { toString: 1, valueOf: 1 };
    assert.deepEqual([textOf(hostile), textOf("x"), textOf(undefined)], ["", "x", ""]);
    assert.deepEqual([positionOf(hostile), positionOf(7), positionOf(-1), positionOf(2.5)], [1, 7, 1, 2]);
  });
});
