import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generator, randomJson } from "../test/random-json.ts";
import type { JsonObject } from "./json.ts";
import { hasSpelling, keepSpelling, mergeJson, parseJson, pickJson, writeJson } from "./json-spelling.ts";

const object = (text: string) => parseJson(text) as JsonObject;

describe("JSON text that was parsed and is written again", () => {
  for (const text of [
    '{"9":1,"1":2}',
    '{"b":5.0,"a":[1.0,-0.0,1e+16,{"2":9007199254740993,"1":-12345678901234567890}]}',
    '{"text":"\\"9\\":5.0,{","__proto__":1.0,"":[[],{}]}',
  ]) {
    it(`is the same: ${text}`, () => assert.equal(writeJson(parseJson(text)), text));
  }

  it("is the same for random values", () => {
    const next = generator(7);
    for (let count = 0; count < 2_000; count++) {
      const text = `[${randomJson(next, 4)}]`;
      assert.equal(writeJson(parseJson(text)), text);
    }
  });

  it("is the same with long runs of digits, in texts and as numbers, which are not searched from each digit anew", {
    timeout: 60_000,
  }, () => {
    const digits = "1".repeat(1_000_000);
    for (const text of [
      `{"a":" ${digits}"}`,
      `[5.0,"${digits}"]`,
      `{"a":" -${digits}.5x"}`,
      `["1${'\\"1'.repeat(100_000)}"]`,
    ])
      assert.equal(writeJson(parseJson(text)), text);
  });

  it("has the last value of a key that is there twice", () => {
    assert.equal(writeJson(parseJson('{"a":{"x":5.0},"a":5,"b":5.0,"b":5}')), '{"a":5,"b":5}');
  });

  it("has values that were put in since, removed keys not at all, and the rest as it was", () => {
    const value = object('{"9":5.0,"1":[2.0],"0":7.0}');
    value["9"] = 6;
    value.new = "n";
    delete value["0"];
    assert.equal(writeJson(value), '{"9":6,"1":[2.0],"new":"n"}');
  });

  it("is what JSON.stringify writes when nothing is lost", () => {
    assert.equal(hasSpelling(parseJson('{"a":[1,2.5,"x"],"b":null}')), false);
  });
});

describe("values that are moved", () => {
  it("are merged with what is known of each", () => {
    const merged = mergeJson(object('{"9":5.0,"1":1}'), { a: 1 }, object('{"b":2.0,"9":5}'));
    assert.equal(writeJson(merged), '{"9":5,"1":1,"a":1,"b":2.0}');
  });

  it("are picked by name, and copied to another name", () => {
    assert.equal(writeJson(pickJson(object('{"9":5.0,"a":1,"1":3.0}'), ["1", "9"])), '{"9":5.0,"1":3.0}');
    const from = object('{"value":5.0}');
    const to = { result: 5 };
    keepSpelling(from, "value", to, "result");
    assert.equal(writeJson(to), '{"result":5.0}');
  });
});
